import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { queryClient } from "#src/api/query-client.ts";
import { useTheme } from "#src/lib/preferences.ts";
import { theme } from "./theme.ts";

// Beside the first page, not when there is something to say: that may be that nothing can be loaded.
const ToastHost = lazy<ComponentType>(() =>
  import("./toast-host.tsx").then(
    (module) => ({ default: module.ToastHost }),
    // Around everything there is nobody to catch this; a console without toasts is still one.
    () => ({ default: () => null }),
  ),
);

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
          <Suspense fallback={null}>
            <ToastHost />
          </Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}
