import { Trans, useLingui } from "@lingui/react/macro";
import type { Invitation } from "@palisade/contract/http/sub-users";
import { roleLabels, useRoleText } from "#src/ui/role-labels.ts";
import { Day } from "#src/ui/time.tsx";
import classes from "./invitation.module.css";

export function InvitationDetails({ invitation }: { invitation: Invitation }) {
  const { i18n } = useLingui();
  const { role, rights } = invitation;
  const roleText = useRoleText();
  return (
    <dl className={classes["facts"]}>
      <div>
        <dt>
          <Trans>Game Shield</Trans>
        </dt>
        <dd className={classes["server"]}>{invitation.server_name}</dd>
      </div>
      <div>
        <dt>
          <Trans>Invited by</Trans>
        </dt>
        <dd>{invitation.invited_by}</dd>
      </div>
      <div>
        <dt>
          <Trans>For</Trans>
        </dt>
        <dd>{invitation.address}</dd>
      </div>
      <div>
        <dt>
          <Trans>Role</Trans>
        </dt>
        <dd>
          {i18n._(roleLabels[role])}
          <span className={classes["rights"]}>{roleText(role, rights)}</span>
        </dd>
      </div>
      <div>
        <dt>
          <Trans>Valid until</Trans>
        </dt>
        <dd>
          <Day at={invitation.expires_at} />
        </dd>
      </div>
    </dl>
  );
}
