import { Button, Checkbox, Textarea } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { attachmentFilesMax } from "@palisade/contract/http/attachment-rules";
import { fillCannedReply } from "@palisade/contract/http/canned-variables";
import type { CannedReply } from "@palisade/contract/http/canned-replies";
import type { StaffTicketDetail } from "@palisade/contract/http/staff-ticket-shapes";
import { messageCharactersMax } from "@palisade/contract/http/tickets";
import { IconMessage2Bolt, IconPaperclip } from "@tabler/icons-react";
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { CannedPicker } from "./canned-picker.tsx";
import { useReply } from "./use-reply.ts";
import classes from "./ticket.module.css";

export type Writing = "reply" | "note";

interface ComposerProps {
  readonly ticket: StaffTicketDetail;
  readonly kind: Writing;
  readonly onKind: (kind: Writing) => void;
  readonly onTyping: (isTyping: boolean) => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Writes answers to the customer, and notes in another colour that only staff see. */
export function Composer({ ticket, kind, onKind, onTyping, field }: ComposerProps) {
  const { t } = useLingui();
  const me = useCurrentUser();
  const files = useRef<HTMLInputElement>(null);
  const [isPicking, setPicking] = useState(false);
  const reply = useReply(ticket, kind);
  const { text, write } = reply;
  const isNote = kind === "note";
  const hasText = text !== "";
  useEffect(() => onTyping(hasText && !isNote), [hasText, isNote, onTyping]);

  function insert(canned: CannedReply) {
    setPicking(false);
    const isRussian = ticket.card.locale === "ru" && canned.body_ru !== "";
    const filled = fillCannedReply(isRussian ? canned.body_ru : canned.body_en, {
      customer: ticket.customer.first_name ?? ticket.customer.email.split("@")[0] ?? "",
      ticket: `#${ticket.ticket_number}`,
      ...(ticket.server !== null && { server: ticket.server.name }),
      staff: me?.email.split("@")[0] ?? "",
    });
    write(text === "" ? filled : `${text}\n${filled}`);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      reply.send({});
    } else if (event.key === "/" && text === "" && !isNote) {
      event.preventDefault();
      setPicking(true);
    } else if (event.key === "Escape") {
      field.current?.blur();
    }
  }

  return (
    <section className={classes["composer"]} data-note={isNote || undefined} aria-label={t`Write`}>
      <div className={classes["kinds"]} role="tablist" aria-label={t`What to write`}>
        {(["reply", "note"] as const).map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === kind}
            onClick={() => onKind(each)}
          >
            {each === "reply" ? <Trans>Reply</Trans> : <Trans>Note for staff</Trans>}
          </button>
        ))}
      </div>
      {reply.isOutdated ? (
        <div className={classes["outdated"]} role="alert">
          <p>
            <Trans>Someone answered in the meantime. Read it before you send yours.</Trans>
          </p>
          <Button size="xs" variant="default" onClick={() => reply.send({ anyway: true })}>
            <Trans>Send anyway</Trans>
          </Button>
        </div>
      ) : null}
      <Textarea
        ref={field}
        aria-label={isNote ? t`Note for staff` : t`Reply to the customer`}
        placeholder={
          isNote ? t`Only staff see this…` : t`Write to the customer… Type / for canned replies`
        }
        autosize
        minRows={3}
        maxRows={14}
        maxLength={messageCharactersMax}
        value={text}
        error={reply.error}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {reply.files.length === 0 ? null : (
        <ul className={classes["chosenFiles"]} aria-label={t`Attached files`}>
          {reply.files.map((file) => (
            <li key={`${file.name} ${file.size}`}>
              <span>{file.name}</span>
              <RemoveButton
                label={t`Remove ${file.name}`}
                loading={false}
                onClick={() => reply.setFiles(reply.files.filter((each) => each !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={classes["tools"]}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPaperclip size={15} stroke={1.6} />}
          onClick={() => files.current?.click()}
        >
          <Trans>Attach files</Trans>
        </Button>
        {isNote ? null : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconMessage2Bolt size={15} stroke={1.6} />}
            onClick={() => setPicking(true)}
          >
            <Trans>Canned reply</Trans>
          </Button>
        )}
        <span className={classes["space"]} />
        {isNote ? null : (
          <Checkbox
            label={t`Resolve`}
            checked={reply.resolves}
            onChange={({ currentTarget }) => reply.setResolves(currentTarget.checked)}
          />
        )}
        <ActionButton size="xs" loading={reply.isPending} onClick={() => reply.send({})}>
          {isNote ? <Trans>Add note</Trans> : <Trans>Send reply</Trans>}
        </ActionButton>
      </div>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        onChange={({ currentTarget }) => {
          const added = [...(currentTarget.files ?? [])];
          reply.setFiles([...reply.files, ...added].slice(0, attachmentFilesMax));
          // The same file can be chosen again after it was removed.
          currentTarget.value = "";
        }}
      />
      {isPicking ? <CannedPicker onPick={insert} onClose={() => setPicking(false)} /> : null}
    </section>
  );
}
