import { useLingui } from "@lingui/react/macro";
import type { ToggleName } from "./firewall-diff.ts";

export function useToggleLabels(): Record<ToggleName, string> {
  const { t } = useLingui();
  return {
    ip_blacklist_enabled: t`IP Blacklist`,
    ip_whitelist_enabled: t`IP Whitelist`,
    whitelist_only: t`Whitelist only`,
  };
}
