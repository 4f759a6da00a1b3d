import { useLingui } from "@lingui/react/macro";
import { useLocation } from "@tanstack/react-router";
import {
  IconCurrencyEuro,
  IconLayoutDashboard,
  IconLifebuoy,
  IconListDetails,
  IconUserCircle,
} from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { NavigationFrame, NavigationItem, type NavigationProps } from "./navigation-frame.tsx";

export function Navigation(props: NavigationProps) {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const current = itemOf(pathname);
  const labels = {
    [paths.dashboard]: t`Dashboard`,
    [paths.billing]: t`Billing`,
    [paths.profile]: t`Profile`,
    [paths.support]: t`Support`,
    [paths.auditLogs]: t({ message: "Audit Logs", context: "navigation" }),
  };
  return (
    <NavigationFrame {...props} label={t`Main`}>
      {(narrow) =>
        items.map(({ to, Icon }) => (
          <NavigationItem
            key={to}
            target={{ to }}
            label={labels[to]}
            icon={<Icon size={18} stroke={1.6} />}
            narrow={narrow}
            isCurrent={to === current}
            onFollow={props.onClose}
          />
        ))
      }
    </NavigationFrame>
  );
}

const items = [
  { to: paths.dashboard, Icon: IconLayoutDashboard },
  { to: paths.billing, Icon: IconCurrencyEuro },
  { to: paths.profile, Icon: IconUserCircle },
  { to: paths.support, Icon: IconLifebuoy },
  { to: paths.auditLogs, Icon: IconListDetails },
] as const;

/** The item that a page belongs to. Shields and setup belong to the dashboard. */
function itemOf(pathname: string): string {
  const found = items.findLast(({ to }) => `${pathname}/`.startsWith(`${to}/`));
  return found?.to ?? paths.dashboard;
}
