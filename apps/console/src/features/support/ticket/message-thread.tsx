import { Trans, useLingui } from "@lingui/react/macro";
import type { TicketDetail, TicketMessage } from "@palisade/contract/http/tickets";
import { IconMail } from "@tabler/icons-react";
import { RelativeTime } from "#src/ui/time.tsx";
import { Avatar } from "./avatar.tsx";
import { DownloadRow } from "./download-row.tsx";
import { MessageImage } from "./message-image.tsx";
import { MessageText } from "./message-text.tsx";
import { useNameOf } from "./use-name-of.ts";
import classes from "./ticket.module.css";

/** The conversation, newest first. */
export function MessageThread({ ticket }: { ticket: TicketDetail }) {
  const { t } = useLingui();
  return (
    <ol className={classes["thread"]} aria-label={t`Messages`}>
      {ticket.messages.map((message) => (
        <li key={message.id} className={classes["row"]} data-own={!message.is_admin || undefined}>
          <Message ticketId={ticket.id} message={message} />
        </li>
      ))}
    </ol>
  );
}

function Message({ ticketId, message }: { ticketId: string; message: TicketMessage }) {
  const { t } = useLingui();
  const nameOf = useNameOf();
  const { is_admin: isAdmin, user, attachments } = message;
  const name = nameOf({ ...user, is_admin: isAdmin });
  const images = attachments.filter((file) => file.is_image);
  const others = attachments.filter((file) => !file.is_image);
  return (
    <article className={classes["message"]} aria-label={t`Message from ${name}`}>
      <Avatar name={name} isAdmin={isAdmin} />
      <div className={classes["bubble"]}>
        <header className={classes["byline"]}>
          <strong>{name}</strong>
          {isAdmin ? <span className={classes["staff"]}>STAFF</span> : null}
          {user.email === null || user.email === name ? null : (
            <span className={classes["email"]}>{user.email}</span>
          )}
          {message.source === "mail" ? (
            <IconMail size={14} stroke={1.6} role="img" aria-label={t`Sent by e-mail`} />
          ) : null}
          <span className={classes["when"]}>
            <RelativeTime at={message.created_at} />
          </span>
        </header>
        {message.message === "" ? null : <MessageText text={message.message} />}
        {images.length === 0 ? null : (
          <div className={classes["images"]}>
            {images.map((file) => (
              <MessageImage key={file.filename} ticketId={ticketId} file={file} />
            ))}
          </div>
        )}
        {others.length === 0 ? null : (
          <ul className={classes["downloads"]}>
            {others.map((file) => (
              <li key={file.filename}>
                <DownloadRow ticketId={ticketId} file={file} />
              </li>
            ))}
          </ul>
        )}
        {message.message === "" && attachments.length === 0 ? (
          <p className={classes["text"]}>
            <Trans>This message was removed.</Trans>
          </p>
        ) : null}
      </div>
    </article>
  );
}
