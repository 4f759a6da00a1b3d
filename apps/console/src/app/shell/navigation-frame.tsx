import { ActionIcon, FocusTrap, Tooltip } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { Link, type LinkProps } from "@tanstack/react-router";
import { IconLayoutSidebarLeftCollapse, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { paths } from "#src/lib/paths.ts";
import { useNavigationWidth } from "#src/lib/preferences.ts";
import { Logo } from "#src/ui/logo.tsx";
import { LanguageSwitch, ThemeSwitch } from "#src/ui/preference-switches.tsx";
import classes from "./navigation.module.css";

export interface NavigationProps {
  /** Undefined on wide screens, where the navigation has its own column. */
  readonly drawer: "open" | "closed" | undefined;
  readonly onClose: () => void;
}

interface NavigationFrameProps extends NavigationProps {
  readonly label: string;
  /** Its links, which show only their icons where it is `narrow`. */
  readonly children: (narrow: boolean) => ReactNode;
}

export function NavigationFrame({ drawer, onClose, label, children }: NavigationFrameProps) {
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
        aria-label={label}
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
        <ul className={classes["items"]}>{children(narrow)}</ul>
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

interface NavigationItemProps {
  readonly target: LinkProps;
  readonly label: string;
  readonly icon: ReactNode;
  readonly narrow: boolean;
  readonly isCurrent: boolean;
  readonly onFollow: () => void;
}

export function NavigationItem(props: NavigationItemProps) {
  const { target, label, icon, narrow, isCurrent, onFollow } = props;
  return (
    <li>
      <Tooltip label={label} position="right" disabled={!narrow}>
        <Link
          {...target}
          className={classes["item"]}
          activeOptions={{ exact: true, includeSearch: false }}
          data-current={isCurrent || undefined}
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
