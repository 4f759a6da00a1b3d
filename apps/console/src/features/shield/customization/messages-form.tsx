import { Trans, useLingui } from "@lingui/react/macro";
import {
  serverMessages,
  type MessageName,
  type ServerMessages,
  serverMessageRoutes,
} from "@palisade/contract/http/server-messages";
import type { Server } from "@palisade/contract/http/servers";
import { useRef, useState } from "react";
import { Panel } from "#src/ui/panel.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import type { Change } from "../receipt.tsx";
import { SharedFormFooter } from "#src/features/shield/shared-form/shared-form-footer.tsx";
import { useSharedForm, type Saved } from "../shared-form/use-shared-form.ts";
import { messagesQuery, type Versioned, ifMatch } from "../shield.queries.ts";
import { CodePalette } from "./code-palette.tsx";
import classes from "./customization.module.css";
import { useDiscordInvite } from "../operator.queries.tsx";
import { ImageField } from "./image-field.tsx";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import { MessageInput } from "./message-input.tsx";
import { defaultTexts, textsOf, type Group, type Texts } from "./message-texts.ts";
import { MessagesPreview } from "./messages-preview.tsx";
import { call } from "#src/api/client.ts";

interface MessagesFormProps {
  readonly shield: Server;
  readonly group: Group;
  /** Shown if the messages cannot be read. */
  readonly fallback: Versioned<ServerMessages>;
  readonly readOnly: boolean;
  readonly onChange: (change: Change) => void;
}

export function MessagesForm({ shield, group, ...props }: MessagesFormProps) {
  const { t } = useLingui();
  const place = useRef<HTMLFormElement>(null);
  const use = useSharedForm<ServerMessages, Texts>({
    ...props,
    place,
    query: messagesQuery(shield.id),
    schema: serverMessages.shape[group],
    typedOf: (messages) => textsOf(messages, group),
    save: (texts, etag) => saveMessages(shield.id, { group, texts }, etag),
    texts: {
      saved: t`Messages updated`,
      failed: t`Error updating messages. Please try again later.`,
    },
    // The server prefixes a field's name with its group; the form does not.
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
        <SharedFormFooter
          use={use}
          theirs={theirs ? <ConflictingMessages theirs={theirs} /> : null}
          note={<Trans>Use § or & for colours. An empty field shows the default text.</Trans>}
        />
      </Panel>
      <MessagesPreview
        serverName={shield.server_name}
        group={group}
        texts={form.values}
        active={active}
      />
    </form>
  );
}

/** Inserts as if typed: the field keeps the focus and its form gets the input event. */
function insertAtCursor(name: string, text: string): void {
  const input = document.querySelector(`[name="${name}"]`);
  if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return;
  input.focus();
  input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Saves the changed texts of one tab. */
async function saveMessages(
  id: string,
  changed: { readonly group: Group; readonly texts: Partial<Texts> },
  etag: string | null,
): Promise<Saved<ServerMessages>> {
  const { data, headers } = await call(serverMessageRoutes.updateServerMessages, {
    params: { id },
    body: { [changed.group]: changed.texts },
    headers: ifMatch(etag),
  });
  const { messages, message, revision } = data;
  return { now: { value: messages, etag: headers.get("etag") }, message, revision };
}

/** The other user's texts, with the labels of the page. */
function ConflictingMessages({ theirs }: { theirs: Partial<Texts> }) {
  const { t } = useLingui();
  const fields = useMessageFields();
  return (
    <ul>
      {Object.entries(theirs).map(([name, text = ""]) => (
        <li key={name}>
          {isMessageName(fields, name) ? fields[name].label : t`Offline image`}:{" "}
          <ConflictingText name={name} text={text} />
        </li>
      ))}
    </ul>
  );
}

function ConflictingText({ name, text }: { name: string; text: string }) {
  if (name === "offline_image")
    return text === "" ? <Trans>removed</Trans> : <Trans>changed</Trans>;
  return text === "" ? <Trans>default text</Trans> : <q>{text}</q>;
}
