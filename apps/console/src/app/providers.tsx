import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { notificationsStore } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import { queryClient } from "#src/api/query-client.ts";
import { useTheme } from "#src/lib/preferences.ts";
import { theme } from "./theme.ts";

/** Where toasts appear, once its code is there; without it the console is still one. */
function ToastHost() {
  const [Host, setHost] = useState<ComponentType | null>(null);
  const isMissing = Host === null;
  useEffect(() => {
    if (!isMissing) return;
    const load = () =>
      import("./toast-host.tsx").then(
        (module) => setHost(() => module.ToastHost),
        () => undefined,
      );
    // Beside the first page, not when there is something to say: that may be that nothing can be
    // loaded. What failed then is tried again with every toast.
    void load();
    return notificationsStore.subscribe(() => void load());
  }, [isMissing]);
  return isMissing ? null : <Host />;
}

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
          <ToastHost />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}
