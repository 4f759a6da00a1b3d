import { Trans } from "@lingui/react/macro";
import {
  serverMessages,
  type MessageName,
  type ServerMessages,
} from "@palisade/contract/http/server-messages";
import type { Server } from "@palisade/contract/http/servers";
import { useEffect, useRef, useState } from "react";
import { useContractForm } from "#src/lib/form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import type { Change } from "../receipt.tsx";
import type { Versioned } from "../shield.queries.ts";
import { CodePalette } from "./code-palette.tsx";
import classes from "./customization.module.css";
import { useDiscordInvite } from "./discord.queries.ts";
import { ImageField } from "./image-field.tsx";
import { insertAtCursor } from "./insert-at-cursor.ts";
import { changedTexts, defaultTexts, mergeTyped, textsOf, type Group } from "./message-diff.ts";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import { MessageInput } from "./message-input.tsx";
import { MessagesConflict } from "./messages-conflict.tsx";
import { MessagesPreview } from "./messages-preview.tsx";
import { useSaveMessages } from "./use-save-messages.ts";

interface MessagesFormProps {
  readonly server: Server;
  readonly group: Group;
  readonly stored: Versioned<ServerMessages>;
  readonly readOnly: boolean;
  readonly onChange: (change: Change) => void;
}

export function MessagesForm({ server, group, stored, readOnly, onChange }: MessagesFormProps) {
  // What the form was filled from: differences and If-Match refer to it, not to later reads.
  const [read, setRead] = useState(stored);
  const [theirs, setTheirs] = useState<Record<string, string> | null>(null);
  const { form, field, submit, placeIssues } = useContractForm(
    serverMessages.shape[group],
    textsOf(stored.value, group),
  );
  const before = textsOf(read.value, group);
  const changed = changedTexts(before, form.values);
  const dirty = Object.keys(changed).length > 0;

  const save = useSaveMessages(server.id, group, {
    onSaved: (now, change) => {
      setRead(now);
      closeConflict();
      form.setValues(textsOf(now.value, group));
      onChange(change);
    },
    onConflict: (now) => {
      const current = textsOf(now.value, group);
      setTheirs(changedTexts(before, current));
      form.setValues(mergeTyped(before, form.values, current));
      setRead(now);
    },
    placeIssues,
  });

  const place = useRef<HTMLFormElement>(null);
  const send = () => save.mutate({ texts: changed, etag: read.etag });

  /** Its buttons go: the focus returns to where it came from. */
  function closeConflict() {
    if (!theirs) return;
    setTheirs(null);
    place.current?.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
  }

  function keepTheirs() {
    form.setValues({ ...form.values, ...theirs });
    closeConflict();
  }

  // A later read fills the form only while nothing has been typed.
  useEffect(() => {
    if (dirty || stored === read) return;
    // oxlint-disable-next-line react/set-state-in-effect -- the form's own store is set beside it
    setRead(stored);
    form.setValues(textsOf(stored.value, group));
  }, [stored, read, dirty, form, group]);

  const fields = useMessageFields();
  const names = Object.keys(before).filter((name): name is MessageName =>
    isMessageName(fields, name),
  );
  const [focused, setFocused] = useState<MessageName | null>(null);
  const active = focused ?? names[0] ?? "offline_kick_msg";
  const hasDiscord = useDiscordInvite() !== null;
  const defaults = defaultTexts(group);

  return (
    <form
      className={classes["columns"]}
      noValidate
      ref={place}
      onSubmit={submit(() => {
        if (dirty && !readOnly && !theirs) send();
      })}
    >
      <UnsavedGuard dirty={dirty} />
      <Panel>
        {readOnly ? null : (
          <CodePalette
            name={active}
            label={fields[active].label}
            hasDiscord={hasDiscord}
            onInsert={(text) => insertAtCursor(active, text)}
          />
        )}
        <div className={classes["fields"]}>
          {group === "offline" ? (
            <ImageField
              value={form.values["offline_image"] ?? ""}
              error={field("offline_image").error}
              disabled={readOnly}
              onChange={(value) => form.setFieldValue("offline_image", value)}
            />
          ) : null}
          {names.map((name) => (
            <MessageInput
              key={name}
              name={name}
              field={field(name)}
              defaultText={defaults[name] ?? ""}
              disabled={readOnly}
              onFocus={() => setFocused(name)}
            />
          ))}
        </div>
        {theirs ? (
          <MessagesConflict
            key={read.etag}
            theirs={theirs}
            isSaving={save.isPending}
            onKeepMine={send}
            onKeepTheirs={keepTheirs}
          />
        ) : null}
        <div className={classes["save"]}>
          <p className="dim">
            <Trans>Colours with § or &, an empty field shows the default text.</Trans>
          </p>
          <ActionButton
            type="submit"
            disabled={readOnly || !dirty || theirs !== null}
            loading={save.isPending}
          >
            <Trans>Save</Trans>
          </ActionButton>
        </div>
      </Panel>
      <MessagesPreview
        serverName={server.server_name}
        group={group}
        texts={form.values}
        active={active}
      />
    </form>
  );
}
