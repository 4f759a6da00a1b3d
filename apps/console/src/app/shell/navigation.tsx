import { ActionIcon, FocusTrap, Tooltip } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { Link, useLocation } from "@tanstack/react-router";
import {
  IconCurrencyEuro,
  IconLayoutDashboard,
  IconLayoutSidebarLeftCollapse,
  IconLifebuoy,
  IconListDetails,
  IconUserCircle,
  IconX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { paths } from "#src/lib/paths.ts";
import { useNavigationWidth } from "#src/lib/preferences.ts";
import { Logo } from "#src/ui/logo.tsx";
import { LanguageSwitch, ThemeSwitch } from "#src/ui/preference-switches.tsx";
import classes from "./navigation.module.css";

interface NavigationProps {
  /** Undefined on wide screens, where the navigation has its own column. */
  readonly drawer: "open" | "closed" | undefined;
  readonly onClose: () => void;
}

export function Navigation({ drawer, onClose }: NavigationProps) {
  const { t } = useLingui();
  const { collapsed, toggle } = useNavigationWidth();
  const isDrawer = drawer !== undefined;
  const narrow = collapsed && !isDrawer;
  const widthLabel = collapsed ? t`Expand navigation` : t`Collapse navigation`;

  return (
    <FocusTrap active={drawer === "open"}>
      <nav
        className={classes["navigation"]}
        data-narrow={narrow || undefined}
        data-open={drawer === "open" || undefined}
        aria-label={t`Main`}
        // A closed drawer is off screen and must not take the focus.
        inert={drawer === "closed"}
      >
        <div className={classes["brand"]}>
          <Link
            to={paths.dashboard}
            className={classes["name"]}
            aria-label={t`Palisade, dashboard`}
          >
            <Logo />
            {narrow ? null : <span>Palisade</span>}
          </Link>
          {isDrawer ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Close navigation`}
              onClick={onClose}
            >
              <IconX size={18} stroke={1.6} />
            </ActionIcon>
          ) : null}
        </div>
        <ul className={classes["items"]}>
          <Item
            to={paths.dashboard}
            label={t`Dashboard`}
            icon={<IconLayoutDashboard size={18} stroke={1.6} />}
            narrow={narrow}
            onFollow={onClose}
          />
          <Item
            to={paths.billing}
            label={t`Billing`}
            icon={<IconCurrencyEuro size={18} stroke={1.6} />}
            narrow={narrow}
            onFollow={onClose}
          />
          <Item
            to={paths.profile}
            label={t`Profile`}
            icon={<IconUserCircle size={18} stroke={1.6} />}
            narrow={narrow}
            onFollow={onClose}
          />
          <Item
            to={paths.support}
            label={t`Support`}
            icon={<IconLifebuoy size={18} stroke={1.6} />}
            narrow={narrow}
            onFollow={onClose}
          />
          <Item
            to={paths.auditLogs}
            label={t({ message: "Audit Logs", context: "navigation" })}
            icon={<IconListDetails size={18} stroke={1.6} />}
            narrow={narrow}
            onFollow={onClose}
          />
        </ul>
        <div className={classes["foot"]}>
          <ThemeSwitch />
          <LanguageSwitch />
          {isDrawer ? null : (
            <Tooltip label={widthLabel} position="right">
              <ActionIcon
                className={classes["collapse"]}
                variant="subtle"
                color="gray"
                size={28}
                aria-label={widthLabel}
                aria-expanded={!collapsed}
                onClick={toggle}
              >
                <IconLayoutSidebarLeftCollapse size={17} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      </nav>
    </FocusTrap>
  );
}

const itemPaths = [
  paths.dashboard,
  paths.billing,
  paths.profile,
  paths.support,
  paths.auditLogs,
] as const;

interface ItemProps {
  readonly to: (typeof itemPaths)[number];
  readonly label: string;
  readonly icon: ReactNode;
  readonly narrow: boolean;
  readonly onFollow: () => void;
}

function Item({ to, label, icon, narrow, onFollow }: ItemProps) {
  const { pathname } = useLocation();
  return (
    <li>
      <Tooltip label={label} position="right" disabled={!narrow}>
        <Link
          to={to}
          className={classes["item"]}
          activeOptions={{ exact: true, includeSearch: false }}
          data-current={itemOf(pathname) === to || undefined}
          aria-label={label}
          onClick={onFollow}
        >
          {icon}
          {narrow ? null : <span>{label}</span>}
        </Link>
      </Tooltip>
    </li>
  );
}

/** The item that a page belongs to. Shields and setup belong to the dashboard. */
function itemOf(pathname: string): ItemProps["to"] {
  return itemPaths.findLast((path) => `${pathname}/`.startsWith(`${path}/`)) ?? paths.dashboard;
}
