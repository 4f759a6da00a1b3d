import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  readQuarantinedMail,
  type QuarantinedMail,
  type QuarantinedMailDetail,
} from "@palisade/contract/http/staff-mails";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { absoluteTime, bytes } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Dialog } from "#src/ui/dialog.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { ScrollRegion } from "#src/ui/scroll-region.tsx";
import parts from "../parts/parts.module.css";
import { reasonLabels } from "./labels.ts";
import classes from "./mails.module.css";
import type { Decision } from "./settle-dialog.tsx";

const mailQuery = (mailId: string) =>
  queryOptions({
    queryKey: ["staff", "mail", mailId],
    queryFn: async ({ signal }) =>
      (await call(readQuarantinedMail, { params: { mailId }, signal })).data.mail,
    // A mail never changes, and each look is on record.
    staleTime: Infinity,
  });

interface MailDialogProps {
  readonly mail: QuarantinedMail;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
}

/** A mail as plain text. A stranger may have written it, so nothing of it is shown as HTML. */
export function MailDialog({ mail, onDecide, onClose }: MailDialogProps) {
  const { t } = useLingui();
  const query = useQuery(mailQuery(mail.id));
  return (
    <Dialog
      opened
      wide
      title={mail.subject === "" ? t`Without subject` : mail.subject}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button variant="default" onClick={() => onDecide("discard")}>
            <Trans>Discard</Trans>
          </Button>
          {mail.can_accept ? (
            <Button onClick={() => onDecide("accept")}>
              <Trans>Add to the ticket</Trans>
            </Button>
          ) : null}
        </>
      }
    >
      <Facts mail={mail} />
      <QueryBoundary compact query={query} errorTitle={t`The mail could not be loaded`}>
        {(detail) => <Content mail={detail} />}
      </QueryBoundary>
    </Dialog>
  );
}

function Facts({ mail }: { mail: QuarantinedMail }) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  return (
    <dl className={`${parts["facts"]} ${classes["facts"]}`}>
      <dt>
        <Trans>Sender</Trans>
      </dt>
      <dd>{mail.from ?? <Trans>Unknown sender</Trans>}</dd>
      {mail.ticket === null ? null : (
        <>
          <dt>
            <Trans>Customer</Trans>
          </dt>
          <dd>{mail.ticket.customer}</dd>
        </>
      )}
      <dt>
        <Trans>Sent to</Trans>
      </dt>
      <dd className="mono">{mail.recipient}</dd>
      <dt>
        <Trans>Received</Trans>
      </dt>
      <dd>{absoluteTime(locale, new Date(mail.received_at))}</dd>
      <dt>
        <Trans>Why</Trans>
      </dt>
      <dd>{i18n._(reasonLabels[mail.reason])}</dd>
    </dl>
  );
}

function Content({ mail }: { mail: QuarantinedMailDetail }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  return (
    <>
      {mail.is_raw ? (
        <p className={parts["sub"]}>
          <Trans>It cannot be read as a mail. This is what it is made of.</Trans>
        </p>
      ) : null}
      {mail.text === "" ? (
        <p className={parts["sub"]}>
          <Trans>The mail has no text.</Trans>
        </p>
      ) : (
        <ScrollRegion label={t`Text of the mail`} className={classes["text"]}>
          <pre>{mail.text}</pre>
        </ScrollRegion>
      )}
      {mail.is_cut ? (
        <p className={parts["sub"]}>
          <Trans>The mail goes on. Only its beginning is shown.</Trans>
        </p>
      ) : null}
      {mail.files.length === 0 ? null : (
        <ul className={classes["files"]} aria-label={t`Files`}>
          {mail.files.map(({ name, size_bytes: size }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two files may have one name, and the list never changes
            <li key={index}>
              <span className="mono">{name}</span>{" "}
              <span className={classes["size"]}>
                {size === null ? <Trans>too large for tickets</Trans> : bytes(locale, size)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
