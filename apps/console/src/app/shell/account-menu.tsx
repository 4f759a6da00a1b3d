import { Menu, UnstyledButton, type MenuItemProps } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { createLink } from "@tanstack/react-router";
import { statusPath } from "@palisade/contract/console-paths";
import {
  IconHeadset,
  IconHeartbeat,
  IconLifebuoy,
  IconLogout,
  IconSettings,
  IconUserCircle,
} from "@tabler/icons-react";
import type { AnchorHTMLAttributes, Ref } from "react";
import { logOut } from "#src/api/log-out.ts";
import { paths } from "#src/lib/paths.ts";
import classes from "./top-bar.module.css";

type MenuLinkProps = MenuItemProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof MenuItemProps> & {
    ref?: Ref<HTMLAnchorElement>;
  };

const MenuLink = createLink((props: MenuLinkProps) => <Menu.Item component="a" {...props} />);

interface AccountMenuProps {
  readonly email: string;
  readonly isStaff: boolean;
}

export function AccountMenu({ email, isStaff }: AccountMenuProps) {
  return (
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
        <Menu.Label className={classes["who"] ?? ""}>{email}</Menu.Label>
        <MenuLink
          to={paths.profile}
          search={{ tab: "security" }}
          leftSection={<IconSettings size={16} stroke={1.6} />}
        >
          <Trans>My account</Trans>
        </MenuLink>
        <MenuLink
          to={paths.profile}
          search={{}}
          leftSection={<IconUserCircle size={16} stroke={1.6} />}
        >
          <Trans>Profile</Trans>
        </MenuLink>
        <MenuLink
          to={paths.support}
          search={{}}
          leftSection={<IconLifebuoy size={16} stroke={1.6} />}
        >
          <Trans>Support</Trans>
        </MenuLink>
        {isStaff ? (
          <MenuLink to={paths.staffPage} leftSection={<IconHeadset size={16} stroke={1.6} />}>
            <Trans>Staff</Trans>
          </MenuLink>
        ) : null}
        <Menu.Item
          component="a"
          href={statusPath}
          leftSection={<IconHeartbeat size={16} stroke={1.6} />}
        >
          <Trans>Status page</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.6} />}
          onClick={() => void logOut()}
        >
          <Trans>Log out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
