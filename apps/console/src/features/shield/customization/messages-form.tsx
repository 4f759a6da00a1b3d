import { Trans, useLingui } from "@lingui/react/macro";
import {
  serverMessages,
  type MessageName,
  type ServerMessages,
} from "@palisade/contract/http/server-messages";
import type { Server } from "@palisade/contract/http/servers";
import { useRef, useState } from "react";
import { Panel } from "#src/ui/panel.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import type { Change } from "../receipt.tsx";
import { SharedFormFoot } from "../shared-form/shared-form-foot.tsx";
import { useSharedForm } from "../shared-form/use-shared-form.ts";
import { messagesQuery, type Versioned } from "../shield.queries.ts";
import { CodePalette } from "./code-palette.tsx";
import classes from "./customization.module.css";
import { useDiscordInvite } from "./discord.queries.ts";
import { ImageField } from "./image-field.tsx";
import { insertAtCursor } from "./insert-at-cursor.ts";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import { MessageInput } from "./message-input.tsx";
import { defaultTexts, textsOf, type Group, type Texts } from "./message-texts.ts";
import { MessagesPreview } from "./messages-preview.tsx";
import { saveMessages } from "./save-messages.ts";
import { TheirMessages } from "./their-messages.tsx";

interface MessagesFormProps {
  readonly server: Server;
  readonly group: Group;
  /** Shown where the messages cannot be read. */
  readonly fallback: Versioned<ServerMessages>;
  readonly readOnly: boolean;
  readonly onChange: (change: Change) => void;
}

export function MessagesForm({ server, group, ...props }: MessagesFormProps) {
  const { t } = useLingui();
  const place = useRef<HTMLFormElement>(null);
  const use = useSharedForm<ServerMessages, Texts>({
    ...props,
    place,
    query: messagesQuery(server.id),
    schema: serverMessages.shape[group],
    typedOf: (messages) => textsOf(messages, group),
    save: (texts, etag) => saveMessages(server.id, { group, texts }, etag),
    texts: {
      saved: t`Messages updated`,
      failed: t`Error updating messages. Please try again later.`,
    },
    // The server names a text by its group, the form without it.
    nameOf: (path) => path.replace(`${group}.`, ""),
  });
  const { form, field, readOnly, theirs } = use;

  const fields = useMessageFields();
  const names = Object.keys(form.values).filter((name): name is MessageName =>
    isMessageName(fields, name),
  );
  const [focused, setFocused] = useState<MessageName | null>(null);
  const active = focused ?? names[0] ?? "offline_kick_msg";
  const hasDiscord = useDiscordInvite() !== null;
  const defaults = defaultTexts(group);

  return (
    <form className={classes["columns"]} noValidate ref={place} onSubmit={use.onSubmit}>
      <UnsavedGuard dirty={use.isDirty} />
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
        <SharedFormFoot
          use={use}
          theirs={theirs ? <TheirMessages theirs={theirs} /> : null}
          note={<Trans>Colours with § or &, an empty field shows the default text.</Trans>}
        />
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
