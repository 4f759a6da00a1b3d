import { ActionIcon } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { IconMenu2 } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { AccountMenu } from "./account-menu.tsx";
import classes from "./top-bar.module.css";

export interface TopBarProps {
  /** The button that opens the drawer; it gets the focus back when the drawer closes. */
  readonly burger: Ref<HTMLButtonElement>;
  readonly onOpenDrawer: () => void;
}

interface TopBarFrameProps extends TopBarProps {
  readonly crumbs: ReactNode;
  /** Stands between the breadcrumbs and the account's menu. */
  readonly children: ReactNode;
}

export function TopBarFrame({ burger, onOpenDrawer, crumbs, children }: TopBarFrameProps) {
  const { t } = useLingui();
  const user = useCurrentUser();
  return (
    <header className={classes["bar"]}>
      <ActionIcon
        ref={burger}
        className={classes["burger"]}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t`Open navigation`}
        onClick={onOpenDrawer}
      >
        <IconMenu2 size={20} stroke={1.6} />
      </ActionIcon>
      {crumbs}
      <div className={classes["right"]}>
        {children}
        <AccountMenu email={user?.email ?? ""} isStaff={user?.role === "staff"} />
      </div>
    </header>
  );
}
