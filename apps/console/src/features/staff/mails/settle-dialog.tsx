import { Trans, useLingui } from "@lingui/react/macro";
import {
  acceptQuarantinedMail,
  discardQuarantinedMail,
  type QuarantinedMail,
} from "@palisade/contract/http/staff-mails";
import { call } from "#src/api/client.ts";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";

export type Decision = "accept" | "discard";

interface SettleDialogProps {
  readonly mail: QuarantinedMail;
  readonly decision: Decision;
  readonly onClose: () => void;
}

export function SettleDialog({ mail, decision, onClose }: SettleDialogProps) {
  const { t } = useLingui();
  const isAccepted = decision === "accept";
  const route = isAccepted ? acceptQuarantinedMail : discardQuarantinedMail;
  return (
    <StaffFormDialog
      title={isAccepted ? t`Add the mail to its ticket` : t`Discard the mail`}
      action={isAccepted ? t`Add to the ticket` : t`Discard`}
      danger={!isAccepted}
      schema={route.body}
      initial={{}}
      toBody={({ reason }) => ({ reason })}
      run={async (body) => (await call(route, { params: { mailId: mail.id }, body })).data.message}
      onClose={onClose}
    >
      {() =>
        isAccepted ? (
          <Accepted mail={mail} />
        ) : (
          <p>
            <Trans>The mail is deleted. Its sender is told nothing.</Trans>
          </p>
        )
      }
    </StaffFormDialog>
  );
}

function Accepted({ mail }: { mail: QuarantinedMail }) {
  const { t } = useLingui();
  const customer = mail.ticket?.customer ?? "";
  const number = mail.ticket?.ticket_number ?? 0;
  const sender = mail.from ?? t`Unknown sender`;
  return (
    <p>
      <Trans>
        It becomes a message of {customer} in ticket #{number}, with its files. Make sure that it is
        from them: it came from {sender}, and a sender is easy to forge.
      </Trans>
    </p>
  );
}
