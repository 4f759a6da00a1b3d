import { ActionIcon, Menu, UnstyledButton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconLogout, IconMenu2 } from "@tabler/icons-react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { logOut } from "../log-out.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import classes from "./top-bar.module.css";

export function TopBar({ onOpenDrawer }: { onOpenDrawer: () => void }) {
  const { t } = useLingui();
  const user = useCurrentUser();
  const email = user?.email ?? "";
  const plan = user?.current_subscription_plan.name ?? t`Free`;

  return (
    <header className={classes["bar"]}>
      <ActionIcon
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
        <span className={classes["plan"]}>
          <Trans>Support: {plan}</Trans>
        </span>
        <Menu>
          <Menu.Target>
            <UnstyledButton className={classes["account"]}>
              <span className="visually-hidden">
                <Trans>Account menu</Trans>
              </span>
              <span className={classes["email"]}>{email}</span>
              <span className={classes["avatar"]} aria-hidden="true">
                {email.slice(0, 1).toUpperCase()}
              </span>
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label className={classes["who"] ?? ""}>
              {email}
              <br />
              <Trans>Support: {plan}</Trans>
            </Menu.Label>
            <Menu.Item
              leftSection={<IconLogout size={16} stroke={1.6} />}
              onClick={() => void logOut()}
            >
              <Trans>Log out</Trans>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </header>
  );
}
