import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryClient } from "#src/api/query-client.ts";
import { useTheme } from "#src/lib/preferences.ts";
import { theme } from "./theme.ts";

export function Providers({ children }: { children: ReactNode }) {
  const { mode } = useTheme();
  return (
    <I18nProvider i18n={i18n}>
      {/* Variables come from the built stylesheet: the content policy forbids style elements. */}
      <MantineProvider
        theme={theme}
        forceColorScheme={mode}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queryClient}>
          {children}
          <Notifications position="bottom-right" containerWidth={380} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}
