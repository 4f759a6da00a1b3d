import { useLingui } from "@lingui/react/macro";
import { serverRoutes } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { logOut } from "#src/api/log-out.ts";
import { sections } from "#src/features/shield/sections.ts";
import { openModal } from "#src/lib/modals.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale, useTheme } from "#src/lib/preferences.ts";
import type { Command } from "./rank.ts";

/** Owners with more shields find the others on the dashboard. */
const shieldsMax = 100;

/** The commands of the palette: pages, sections of every shield, and actions. */
export function useCommands(): Command[] {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const theme = useTheme();
  const { locale, choose } = useLocale();
  const { data } = useQuery({
    queryKey: ["servers", "palette"],
    queryFn: async ({ signal }) => {
      const query = { per_page: shieldsMax };
      return (await call(serverRoutes.listServers, { query, signal })).data.data;
    },
  });

  const shields = (data ?? []).flatMap((shield) =>
    sections
      .filter(({ name }) => name === "overview" || shield.status === "active")
      .map(({ name, label }) => ({
        id: `${shield.id} ${name}`,
        label: `${shield.server_name}: ${i18n._(label)}`,
        keywords: `${shield.domain ?? ""} ${shield.cname_record}`,
        hint: shield.domain ?? shield.cname_record,
        onlyTyped: name !== "overview",
        run: () =>
          void navigate({
            to: paths.shield,
            params: { shieldId: shield.id, section: name === "overview" ? undefined : name },
          }),
      })),
  );
  const profileTabs = [
    { tab: "general", label: t`Profile` },
    { tab: "security", label: t`Profile: Security` },
    { tab: "notifications", label: t`Profile: Notifications` },
  ];
  return [
    {
      id: "dashboard",
      label: t`Dashboard`,
      keywords: "",
      run: () => void navigate({ to: paths.dashboard }),
    },
    {
      id: "billing",
      label: t`Billing`,
      keywords: "",
      run: () => void navigate({ to: paths.billing }),
    },
    ...profileTabs.map(({ tab, label }) => ({
      id: `profile ${tab}`,
      label,
      keywords: "",
      run: () =>
        void navigate({
          to: paths.profile,
          search: tab === "general" ? {} : { tab },
        }),
    })),
    {
      id: "support",
      label: t`Support`,
      keywords: "tickets",
      run: () => void navigate({ to: paths.support, search: {} }),
    },
    {
      id: "new ticket",
      label: t`New ticket`,
      keywords: "support",
      run: () => void navigate({ to: paths.support, search: { new: "any" } }),
    },
    {
      id: "support plans",
      label: t`Support plans`,
      keywords: "",
      run: () => void navigate({ to: paths.supportPlans }),
    },
    {
      id: "audit logs",
      label: t`Audit Logs`,
      keywords: "",
      run: () => void navigate({ to: paths.auditLogs }),
    },
    {
      id: "recharge",
      label: t`Recharge balance`,
      keywords: "",
      run: () => openModal("recharge balance"),
    },
    {
      id: "setup",
      label: t`Add server`,
      keywords: "",
      run: () => void navigate({ to: paths.setup }),
    },
    ...shields,
    {
      id: "theme",
      label: theme.mode === "dark" ? t`Switch to the light theme` : t`Switch to the dark theme`,
      keywords: "",
      run: theme.toggle,
    },
    {
      id: "language",
      label: locale === "en" ? "Переключить на русский" : "Switch to English",
      keywords: "language язык",
      run: () => choose(locale === "en" ? "ru" : "en"),
    },
    { id: "logout", label: t`Log out`, keywords: "", run: () => void logOut() },
  ];
}
