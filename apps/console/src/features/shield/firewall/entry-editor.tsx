import { Button, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { FirewallEntry } from "@palisade/contract/http/firewall";
import { entryNoteMax } from "@palisade/contract/http/firewall-entry";
import { useEffect, useRef, useState } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { localTime } from "#src/lib/local-time.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { EndField } from "./end-field.tsx";
import { chosenEnd, type EndChoice } from "./entry-end.ts";
import { EntryName } from "./entry-row.tsx";
import classes from "./firewall.module.css";
import type { useEntries } from "./use-entries.ts";

interface EntryEditorProps {
  readonly entry: FirewallEntry;
  readonly columns: number;
  readonly change: ReturnType<typeof useEntries>["change"];
  readonly onClose: () => void;
}

/** Changes the note and the end of an entry in place of its row. */
export function EntryEditor({ entry, columns, change, onClose }: EntryEditorProps) {
  const { t } = useLingui();
  const { ip, expires_at: current } = entry;
  const [note, setNote] = useState(entry.note);
  const [choice, setChoice] = useState<EndChoice>(current === null ? "always" : "keep");
  const [date, setDate] = useState(() => localTime(new Date(current ?? Date.now())));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  // In its fields, too.
  useHotkeys([["Escape", onClose]], []);

  function send() {
    if (change.isPending) return;
    const end = chosenEnd(choice, date, new Date());
    const body = { note, ...(end === undefined ? {} : { expires_at: end }) };
    change.mutate(
      { entry, body },
      {
        onSuccess: onClose,
        onError: (error) => {
          const issues = fieldIssues(error);
          const text = errorText(error, t`Error updating firewall settings`);
          setProblems(Object.keys(issues).length > 0 ? issues : { note: text });
        },
      },
    );
  }

  return (
    <tr className={classes["editing"]}>
      <td colSpan={columns}>
        <form
          className={classes["editor"]}
          aria-label={t`Edit ${ip}`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <p className="mono">
            <EntryName entry={entry} />
          </p>
          <div className={classes["fields"]}>
            <TextInput
              ref={field}
              name="note"
              label={t`Note`}
              autoComplete="off"
              maxLength={entryNoteMax}
              value={note}
              error={problems["note"]}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
            <EndField
              current={current}
              choice={choice}
              date={date}
              error={problems["expires_at"]}
              onChoice={setChoice}
              onDate={setDate}
            />
            <div className={classes["decide"]}>
              <ActionButton type="submit" loading={change.isPending}>
                <Trans>Save</Trans>
              </ActionButton>
              <Button variant="default" onClick={onClose}>
                <Trans>Cancel</Trans>
              </Button>
            </div>
          </div>
        </form>
      </td>
    </tr>
  );
}
