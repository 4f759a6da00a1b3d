import { Button, Checkbox, Menu } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  askTwoFactorOff,
  blockUser,
  logOutUser,
  unblockUser,
  viewAs,
} from "@palisade/contract/http/staff-users";
import type { StaffUser } from "@palisade/contract/http/staff-user-shapes";
import { IconChevronDown, IconEye } from "@tabler/icons-react";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { beginView } from "#src/api/session.ts";
import { StaffActionDialog } from "../staff-action-dialog.tsx";
import { useStaffRole } from "../use-staff-role.ts";
import { AdjustDialog } from "./money-dialogs.tsx";
import classes from "./users.module.css";

type Action = "view" | "adjust" | "log-out" | "block" | "unblock" | "two-factor-off";

/** Actions of the staff member on the account. Accounts of staff are changed by the command line. */
export function UserActions({ user }: { user: StaffUser }) {
  const isSupport = useStaffRole("support");
  const isBilling = useStaffRole("billing");
  const [asked, ask] = useState<Action | null>(null);
  if (user.state === "deleted") return null;
  const mayManage = isSupport && user.role === "customer";
  const hasFactor = user.two_factor_enabled || user.passkeys > 0;
  if (!mayManage && !isBilling) return null;
  return (
    <div className={classes["actions"]}>
      {mayManage ? (
        <Button
          variant="default"
          leftSection={<IconEye size={16} stroke={1.6} />}
          onClick={() => ask("view")}
        >
          <Trans>View as customer</Trans>
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button rightSection={<IconChevronDown size={16} stroke={1.6} />}>
            <Trans>Actions</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isBilling ? (
            <Menu.Item onClick={() => ask("adjust")}>
              <Trans>Adjust the balance</Trans>
            </Menu.Item>
          ) : null}
          {mayManage ? (
            <>
              <Menu.Item onClick={() => ask("log-out")}>
                <Trans>Log out everywhere</Trans>
              </Menu.Item>
              {hasFactor ? (
                <Menu.Item onClick={() => ask("two-factor-off")}>
                  <Trans>Remove two-factor</Trans>
                </Menu.Item>
              ) : null}
              {user.state === "blocked" ? (
                <Menu.Item onClick={() => ask("unblock")}>
                  <Trans>Unblock</Trans>
                </Menu.Item>
              ) : (
                <Menu.Item color="danger" onClick={() => ask("block")}>
                  <Trans>Block</Trans>
                </Menu.Item>
              )}
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <ActionDialog action={asked} user={user} onClose={() => ask(null)} />
    </div>
  );
}

interface ActionDialogProps {
  readonly action: Action | null;
  readonly user: StaffUser;
  readonly onClose: () => void;
}

function ActionDialog({ action, user, onClose }: ActionDialogProps) {
  switch (action) {
    case null:
      return null;
    case "adjust":
      return <AdjustDialog userId={user.id} onClose={onClose} />;
    case "view":
      return <ViewDialog user={user} onClose={onClose} />;
    case "block":
      return <BlockDialog user={user} onClose={onClose} />;
    case "log-out":
    case "two-factor-off":
    case "unblock":
      return <PlainDialog action={action} user={user} onClose={onClose} />;
  }
}

interface UserDialogProps {
  readonly user: StaffUser;
  readonly onClose: () => void;
}

function ViewDialog({ user, onClose }: UserDialogProps) {
  const { t } = useLingui();
  return (
    <StaffActionDialog
      title={t`View as customer`}
      action={t`View`}
      run={async (reason) => {
        const input = { params: { userId: user.id }, body: { reason } };
        const { data } = await call(viewAs, input);
        const { view_id: id, token, email, expires_at: expiresAt } = data;
        beginView({ id, token, userId: user.id, email, expiresAt });
        return t`The console of the customer opens`;
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          You see the console as this customer does, for 15 minutes and in this tab. Nothing can be
          changed, and each page that you open is on your record.
        </Trans>
      </p>
    </StaffActionDialog>
  );
}

function BlockDialog({ user, onClose }: UserDialogProps) {
  const { t } = useLingui();
  const [withShields, setWithShields] = useState(false);
  return (
    <StaffActionDialog
      danger
      title={t`Block the account`}
      action={t`Block`}
      run={async (reason) => {
        const body = { reason, block_shields: withShields };
        return (await call(blockUser, { params: { userId: user.id }, body })).data.message;
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The owner cannot log in any more, every session ends and the API keys stop. Members keep
          their access to shared shields.
        </Trans>
      </p>
      <Checkbox
        label={t`Block its shields too`}
        description={t`Players can no longer join. Without it, the shields go on.`}
        checked={withShields}
        onChange={(event) => setWithShields(event.currentTarget.checked)}
      />
    </StaffActionDialog>
  );
}

/** Actions that ask for nothing but the reason. */
function PlainDialog(
  props: UserDialogProps & { readonly action: "log-out" | "unblock" | "two-factor-off" },
) {
  const { user, action, onClose } = props;
  const { t } = useLingui();
  const actions = {
    "log-out": {
      route: logOutUser,
      title: t`Log out everywhere`,
      label: t`Log out`,
      text: t`Every session of the account ends. API keys go on.`,
    },
    unblock: {
      route: unblockUser,
      title: t`Unblock the account`,
      label: t`Unblock`,
      text: t`The owner can log in again. Shields that were blocked with the account are unblocked.`,
    },
    "two-factor-off": {
      route: askTwoFactorOff,
      title: t`Remove two-factor`,
      label: t`Ask for the removal`,
      text: t`First make sure that the owner asks for it. A second person has to confirm it; then two-factor and passkeys go, every session ends, and a mail tells the owner.`,
    },
  };
  const { route, title, label, text } = actions[action];
  return (
    <StaffActionDialog
      danger={action === "two-factor-off"}
      title={title}
      action={label}
      run={async (reason) =>
        (await call(route, { params: { userId: user.id }, body: { reason } })).data.message
      }
      onClose={onClose}
    >
      <p>{text}</p>
    </StaffActionDialog>
  );
}
