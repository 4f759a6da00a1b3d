import { ActionIcon } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { IconMenu2 } from "@tabler/icons-react";
import type { Ref } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { paths } from "#src/lib/paths.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import classes from "./top-bar.module.css";

interface TopBarProps {
  /** The button that opens the drawer; it gets the focus back when the drawer closes. */
  readonly burger: Ref<HTMLButtonElement>;
  readonly onOpenDrawer: () => void;
}

export function TopBar({ burger, onOpenDrawer }: TopBarProps) {
  const { t } = useLingui();
  const user = useCurrentUser();
  const plan = user?.current_subscription_plan.name ?? t`Free`;

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
      <Breadcrumbs />
      <div className={classes["right"]}>
        <PaletteButton />
        <Link to={paths.supportPlans} className={classes["plan"]}>
          <Trans>Support: {plan}</Trans>
        </Link>
        <AccountMenu email={user?.email ?? ""} />
      </div>
    </header>
  );
}
