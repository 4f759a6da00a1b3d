import { Textarea } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { messageCharactersMax } from "@palisade/contract/http/tickets";
import { renderText } from "@palisade/contract/texts/render";
import { IconSend } from "@tabler/icons-react";
import { useRef, useState, type SyntheticEvent } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import type { TicketChannel } from "#src/api/use-ticket-channel.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { FieldError } from "#src/ui/field-error.tsx";
import { AttachmentField } from "../attachments/attachment-field.tsx";
import { DropOverlay } from "../attachments/drop-overlay.tsx";
import { pastedFiles } from "../attachments/pasted-files.ts";
import { useAttachments } from "../attachments/use-attachments.ts";
import { draftOf } from "../drafts.ts";
import { useReply } from "./use-reply.ts";
import classes from "./ticket.module.css";

interface ReplyBoxProps {
  readonly ticketId: string;
  readonly channel: TicketChannel;
}

/** Writes in the ticket. The text is kept through a reload, and until the api has taken it. */
export function ReplyBox({ ticketId, channel }: ReplyBoxProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const owner = useCurrentUser()?.id ?? "";
  const draft = draftOf(`reply_draft ${ticketId}`, { message: "" });
  const [message, setMessage] = useState(() => draft.read(owner).message);
  const [isEmpty, setEmpty] = useState(false);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const reply = useReply(ticketId);
  const attachments = useAttachments("reply", reply.isPending);

  function type(text: string) {
    setMessage(text);
    setEmpty(false);
    draft.store(owner, { message: text });
  }
  function onSent() {
    type("");
    attachments.clear();
    textarea.current?.focus();
  }
  function send(event: SyntheticEvent) {
    event.preventDefault();
    if (reply.isPending) return;
    if (message.trim() === "" && attachments.files.length === 0) {
      setEmpty(true);
      textarea.current?.focus();
    } else reply.send({ message, files: attachments.files, onSent });
  }

  return (
    <form
      className={classes["reply"]}
      aria-label={t`Reply`}
      noValidate
      onPaste={(event) => {
        const files = pastedFiles(event);
        if (files.length > 0) attachments.add(files);
      }}
      onSubmit={send}
    >
      <Textarea
        ref={textarea}
        name="message"
        aria-label={t`Your reply`}
        placeholder={t`Write a reply…`}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={messageCharactersMax}
        value={message}
        readOnly={reply.isPending}
        error={
          isEmpty && attachments.files.length === 0 ? (
            <FieldError text={renderText(locale, "ticket.message.required")} />
          ) : undefined
        }
        onChange={({ currentTarget }) => {
          type(currentTarget.value);
          channel.sendTyping();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event);
        }}
      />
      <AttachmentField
        attachments={attachments}
        refusals={reply.refusals}
        sentShare={reply.sentShare}
        brief
      />
      <div className={classes["send"]}>
        <p className={classes["typing"]} aria-live="polite">
          {reply.isPending ? (
            <Trans>Sending…</Trans>
          ) : channel.typing?.is_admin ? (
            <Trans>Support is typing…</Trans>
          ) : (
            <span className={classes["keys"]}>
              <Trans>Ctrl + Enter sends</Trans>
            </span>
          )}
        </p>
        <ActionButton
          type="submit"
          loading={reply.isPending}
          leftSection={<IconSend size={16} stroke={1.6} />}
        >
          <Trans>Send</Trans>
        </ActionButton>
      </div>
      <DropOverlay shown={attachments.isDragging} />
    </form>
  );
}
