import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { notificationsStore } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import { queryClient } from "#src/api/query-client.ts";
import { useTheme } from "#src/lib/preferences.ts";
import { theme } from "./theme.ts";

/** Shows toasts once its code has loaded. The console works without it. */
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
    // Load with the first page: a toast may report that nothing can be loaded. If this load fails,
    // every new toast tries again.
    void load();
    return notificationsStore.subscribe(() => void load());
  }, [isMissing]);
  return isMissing ? null : <Host />;
}

export function Providers({ children }: { children: ReactNode }) {
  const { mode } = useTheme();
  return (
    <I18nProvider i18n={i18n}>
      {/* CSS variables come from the built stylesheet: the content policy forbids style elements. */}
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
