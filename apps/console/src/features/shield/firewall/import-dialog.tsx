import { Button, Textarea } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { importCharactersMax } from "@palisade/contract/http/firewall-import";
import { IconFileUpload } from "@tabler/icons-react";
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { errorText } from "#src/api/errors.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import type { ListType } from "./firewall-diff.ts";
import classes from "./firewall.module.css";
import { previewImport } from "./import-preview.ts";
import { ImportSummary } from "./import-summary.tsx";
import type { ImportRequest, useLists } from "./use-lists.ts";

interface ImportDialogProps {
  readonly list: ListType;
  readonly put: ReturnType<typeof useLists>["put"];
  readonly onClose: () => void;
}

/** Shown in the field; a longer file is kept beside it, because a field of megabytes stalls. */
const shownCharactersMax = 20_000;

export function ImportDialog({ list, put, onClose }: ImportDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const [text, setText] = useState("");
  const [fileName, setFileName] = useState<string | null>(null);
  const [mode, setMode] = useState<ImportRequest["mode"]>("merge");
  const [problem, setProblem] = useState<string | null>(null);
  const deferred = useDeferredValue(text);
  const [now] = useState(() => new Date());
  const preview = useMemo(() => previewImport(deferred, list, now), [deferred, list, now]);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);

  function take(next: string, name: string | null) {
    setProblem(null);
    setText(next);
    setFileName(name);
  }

  async function readFile(file: File | undefined) {
    if (file === undefined) return;
    if (file.size > importCharactersMax) setProblem(t`The file is too large: 3.5 MB at most.`);
    else take(await file.text(), file.name);
  }

  function send() {
    if (put.isPending) return;
    if (preview.valid === 0) {
      setProblem(t`No address, range or name was found`);
      field.current?.focus();
      return;
    }
    put.mutate(
      { mode, source: { text } },
      {
        onSuccess: ({ data }) => {
          toast("success", data.message);
          onClose();
        },
        onError: (error) => setProblem(errorText(error, t`Error updating firewall settings`)),
      },
    );
  }

  const isLong = fileName !== null && text.length > shownCharactersMax;
  return (
    <Dialog
      opened
      title={list === "blacklist" ? t`Import into the blacklist` : t`Import into the whitelist`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={put.isPending}>
            <Trans>Import</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={classes["import"]}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Textarea
          ref={field}
          label={t`Addresses, ranges and names`}
          description={t`One per line or separated by commas; a comment after # becomes the note. Exports of this page, CSV files, lists of a game server, rules of TCPShield and published lists such as Spamhaus DROP, FireHOL and ipverse work too.`}
          placeholder={"203.0.113.5  # griefer\n2001:db8::/32\nSteve"}
          rows={7}
          value={isLong ? `${text.slice(0, shownCharactersMax)}\n…` : text}
          readOnly={isLong}
          error={problem}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: "mono" }}
          onChange={({ currentTarget }) => take(currentTarget.value, null)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData("text/plain");
            if (text !== "" || pasted.length <= shownCharactersMax) return;
            event.preventDefault();
            take(pasted, t`Pasted text`);
          }}
        />
        <FilePicker
          name={fileName}
          onFile={(file) => void readFile(file)}
          onClear={() => take("", null)}
        />
        <ImportSummary preview={preview} list={list} />
        <fieldset className={classes["modes"]}>
          <legend className="visually-hidden">
            <Trans>Effect on the list</Trans>
          </legend>
          <ChoiceCard
            name="mode"
            value="merge"
            label={t`Add to the list`}
            checked={mode === "merge"}
            onChoose={() => setMode("merge")}
          >
            <strong>
              <Trans>Add to the list</Trans>
            </strong>
            <span>
              <Trans>Existing entries stay.</Trans>
            </span>
          </ChoiceCard>
          <ChoiceCard
            name="mode"
            value="replace"
            label={t`Replace the list`}
            checked={mode === "replace"}
            onChoose={() => setMode("replace")}
          >
            <strong>
              <Trans>Replace the list</Trans>
            </strong>
            <span>
              <Trans>Entries that are not in the import are removed.</Trans>
            </span>
          </ChoiceCard>
        </fieldset>
      </form>
    </Dialog>
  );
}

interface FilePickerProps {
  readonly name: string | null;
  readonly onFile: (file: File | undefined) => void;
  readonly onClear: () => void;
}

function FilePicker(props: FilePickerProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes["file"]}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`File to import`}
        accept=".txt,.csv,.json,.jsonl,.netset,.ipset,.zone,text/plain,text/csv,application/json"
        onChange={({ currentTarget }) => {
          props.onFile(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconFileUpload size={15} stroke={1.6} />}
        onClick={() => input.current?.click()}
      >
        <Trans>Choose a file</Trans>
      </Button>
      {props.name === null ? null : (
        <>
          <span>{props.name}</span>
          <Button variant="subtle" size="compact-sm" onClick={props.onClear}>
            <Trans>Start over</Trans>
          </Button>
        </>
      )}
    </div>
  );
}
