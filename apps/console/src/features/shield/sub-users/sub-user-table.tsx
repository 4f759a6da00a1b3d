import { Trans, useLingui } from "@lingui/react/macro";
import type { SubUser } from "@palisade/contract/http/sub-users";
import { IconMailForward, IconTrash, IconUserCog } from "@tabler/icons-react";
import { useState } from "react";
import { useNow } from "#src/lib/use-now.ts";
import { IconButton } from "#src/ui/icon-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { Status } from "#src/ui/status.tsx";
import { Table } from "#src/ui/table.tsx";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { ChangeRoleDialog } from "./change-role-dialog.tsx";
import { roleBody } from "./role-fields.tsx";
import { roleLabels, useRightsText } from "#src/ui/role-labels.ts";
import classes from "./sub-users.module.css";
import { useInvite, useRemoval } from "./use-sub-users.ts";

interface SubUserTableProps {
  readonly shieldId: string;
  readonly subUsers: readonly SubUser[];
}

export function SubUserTable({ shieldId, subUsers }: SubUserTableProps) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<SubUser | null>(null);
  const [changing, setChanging] = useState<SubUser | null>(null);
  const removal = useRemoval(shieldId);
  const email = asked?.email ?? "";
  return (
    <div className={classes["table"]}>
      <Table
        label={t`Sub users`}
        columns={[
          { key: "email", name: t`Email` },
          { key: "role", name: t`Role` },
          { key: "status", name: t`Status` },
          { key: "activity", name: t`Last activity` },
          { key: "created", name: t`Created at` },
          { key: "actions", name: t`Actions`, right: true },
        ]}
      >
        {subUsers.map((subUser) => (
          <Row
            key={subUser.id}
            shieldId={shieldId}
            subUser={subUser}
            busy={removal.isPending && removal.variables === subUser.id}
            onRemove={() => setAsked(subUser)}
            onChangeRole={() => setChanging(subUser)}
          />
        ))}
      </Table>
      {changing ? (
        <ChangeRoleDialog
          shieldId={shieldId}
          subUser={changing}
          onClose={() => setChanging(null)}
        />
      ) : null}
      <ConfirmDialog
        opened={asked !== null}
        title={asked?.status === "pending" ? t`Withdraw invitation` : t`Remove sub user`}
        action={t`Remove`}
        onClose={() => setAsked(null)}
        onConfirm={() => {
          if (asked) removal.mutate(asked.id);
          setAsked(null);
        }}
      >
        {asked?.status === "pending" ? (
          <Trans>The link sent to {email} stops working.</Trans>
        ) : (
          <Trans>{email} loses access at once, including through API keys.</Trans>
        )}
      </ConfirmDialog>
    </div>
  );
}

interface RowProps {
  readonly shieldId: string;
  readonly subUser: SubUser;
  readonly busy: boolean;
  readonly onRemove: () => void;
  readonly onChangeRole: () => void;
}

function Row({ shieldId, subUser, busy, onRemove, onChangeRole }: RowProps) {
  const { t, i18n } = useLingui();
  const rightsText = useRightsText();
  const { email, status, last_activity_at: activity } = subUser;
  return (
    <tr>
      <td className={classes["email"]}>{email}</td>
      <td data-label={t`Role`}>
        <div>
          {i18n._(roleLabels[subUser.role])}
          {subUser.role === "custom" ? (
            <span className={classes["rights-of"]}>{rightsText(subUser.rights)}</span>
          ) : null}
        </div>
      </td>
      <td data-label={t`Status`}>
        <State subUser={subUser} />
      </td>
      <td className="dim" data-label={t`Last activity`}>
        {activity === null ? <Trans>Never</Trans> : <RelativeTime at={activity} />}
      </td>
      <td className="dim" data-label={t`Created at`}>
        <RelativeTime at={subUser.created_at} />
      </td>
      <td data-right>
        {status === "pending" ? <SendAgain shieldId={shieldId} subUser={subUser} /> : null}
        <IconButton
          hint={t`Change role`}
          icon={<IconUserCog size={16} stroke={1.6} />}
          label={t`Change the role of ${email}`}
          onClick={onChangeRole}
        />
        <IconButton
          hint={t`Remove`}
          icon={<IconTrash size={16} stroke={1.6} />}
          label={t`Remove ${email}`}
          removes
          loading={busy}
          onClick={onRemove}
        />
      </td>
    </tr>
  );
}

function State({ subUser }: { subUser: SubUser }) {
  const now = useNow();
  if (subUser.status === "active") {
    return (
      <Status tone="protected">
        <Trans>Active</Trans>
      </Status>
    );
  }
  const isOver = subUser.expires_at !== null && new Date(subUser.expires_at) <= now;
  return (
    <div>
      <Status tone={isOver ? "danger" : "idle"}>
        {isOver ? (
          <Trans context="invitation">Expired</Trans>
        ) : (
          <Trans context="invitation">Pending</Trans>
        )}
      </Status>
      {isOver || subUser.expires_at === null ? null : (
        <span className={classes["until"]}>
          <Trans>
            Valid until <Day at={subUser.expires_at} />
          </Trans>
        </span>
      )}
    </div>
  );
}

function SendAgain({ shieldId, subUser }: { shieldId: string; subUser: SubUser }) {
  const { email } = subUser;
  const { t } = useLingui();
  const invite = useInvite(shieldId);
  return (
    <IconButton
      hint={t`Send again`}
      icon={<IconMailForward size={16} stroke={1.6} />}
      label={t`Send the invitation to ${email} again`}
      loading={invite.isPending}
      onClick={() =>
        invite.mutate(
          { email, ...roleBody(subUser) },
          {
            onError: (error) => toastError(error, t`Failed to add sub-user`),
          },
        )
      }
    />
  );
}
