import { Button, Textarea, TextInput } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { serverMessages, type ServerMessages } from "@palisade/contract/http/server-messages";
import { useEffect, useState } from "react";
import { useContractForm } from "#src/lib/form.ts";
import { Panel } from "#src/ui/panel.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import type { Change } from "../receipt.tsx";
import type { Versioned } from "../shield.queries.ts";
import classes from "./customization.module.css";
import { changedTexts, mergeTyped, textsOf, type Group } from "./message-diff.ts";
import { useMessageFields } from "./message-fields.ts";
import { MessagesConflict } from "./messages-conflict.tsx";
import { MessagesPreview } from "./messages-preview.tsx";
import { useSaveMessages } from "./use-save-messages.ts";

interface MessagesFormProps {
  readonly serverId: string;
  readonly group: Group;
  readonly stored: Versioned<ServerMessages>;
  readonly readOnly: boolean;
  readonly onChange: (change: Change) => void;
}

export function MessagesForm({ serverId, group, stored, readOnly, onChange }: MessagesFormProps) {
  // What the form was filled from: differences and If-Match refer to it, not to later reads.
  const [read, setRead] = useState(stored);
  const [theirs, setTheirs] = useState<Record<string, string> | null>(null);
  const { form, field, submit, placeIssues } = useContractForm(
    serverMessages.shape[group],
    textsOf(stored.value, group),
  );
  const fields = useMessageFields();
  const before = textsOf(read.value, group);
  const changed = changedTexts(before, form.values);
  const dirty = Object.keys(changed).length > 0;

  const save = useSaveMessages(serverId, group, {
    onSaved: (now, change) => {
      setRead(now);
      setTheirs(null);
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

  // A later read fills the form only while nothing has been typed.
  useEffect(() => {
    if (dirty || stored === read) return;
    // oxlint-disable-next-line react/set-state-in-effect -- the form's own store is set beside it
    setRead(stored);
    form.setValues(textsOf(stored.value, group));
  }, [stored, read, dirty, form, group]);

  return (
    <form
      className={classes["columns"]}
      noValidate
      onSubmit={submit(() => save.mutate({ texts: changed, etag: read.etag }))}
    >
      <UnsavedGuard dirty={dirty} />
      <Panel>
        {theirs ? <MessagesConflict theirs={theirs} onClose={() => setTheirs(null)} /> : null}
        <div className={classes["fields"]}>
          {Object.keys(before).map((name) => {
            const about = fields[name];
            const Input = about?.multiline ? Textarea : TextInput;
            return (
              <Input
                key={name}
                {...field(name)}
                label={about?.label ?? name}
                description={about?.description}
                disabled={readOnly}
                autoComplete="off"
                classNames={{ input: classes["input"] ?? "" }}
                {...(about?.multiline ? { rows: 3 } : {})}
              />
            );
          })}
        </div>
        <div className={classes["save"]}>
          <p className="dim">
            <Trans>Colours with § or &, an empty field shows the default text.</Trans>
          </p>
          <Button type="submit" disabled={readOnly || !dirty} loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </Panel>
      <MessagesPreview group={group} texts={form.values} />
    </form>
  );
}
