import { Trans } from "@lingui/react/macro";
import type { StaffTicketMessage } from "@palisade/contract/http/staff-ticket-shapes";
import { IconLock, IconMail } from "@tabler/icons-react";
import { RelativeTime } from "#src/ui/time.tsx";
import { MessageFile } from "./message-file.tsx";
import classes from "./ticket.module.css";

interface ThreadProps {
  readonly ticketId: string;
  readonly messages: readonly StaffTicketMessage[];
}

/** The conversation, oldest first: the customer to the left, staff to the right, notes in between. */
export function Thread({ ticketId, messages }: ThreadProps) {
  return (
    <ol className={classes["thread"]}>
      {messages.map((message) => (
        <li
          key={message.id}
          className={classes["message"]}
          data-from={message.is_internal ? "note" : message.is_admin ? "staff" : "customer"}
        >
          <div className={classes["head"]}>
            {message.is_internal ? <IconLock size={13} stroke={1.8} aria-hidden="true" /> : null}
            <strong>
              <AuthorName message={message} />
            </strong>
            {message.is_internal ? (
              <span className={classes["mark"]}>
                <Trans>Note, for staff only</Trans>
              </span>
            ) : message.is_admin ? (
              <span className={classes["mark"]}>
                <Trans context="a member of staff">Staff</Trans>
              </span>
            ) : null}
            {message.source === "mail" ? (
              <span className={classes["mark"]}>
                <IconMail size={13} stroke={1.6} aria-hidden="true" />
                <Trans>By mail</Trans>
              </span>
            ) : null}
            <span className={classes["when"]}>
              <RelativeTime at={message.created_at} />
            </span>
          </div>
          {message.message === "" ? null : <p className={classes["text"]}>{message.message}</p>}
          {message.attachments.length === 0 ? null : (
            <ul className={classes["files"]}>
              {message.attachments.map((file) => (
                <li key={file.filename}>
                  <MessageFile ticketId={ticketId} file={file} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}

function AuthorName({
  message: { author, is_own: isOwn, is_admin: isStaff },
}: {
  message: StaffTicketMessage;
}) {
  if (isOwn) return <Trans context="the reader">You</Trans>;
  if (author !== null) return author.first_name ?? author.email;
  return isStaff ? <Trans>Palisade</Trans> : <Trans>Deleted account</Trans>;
}
