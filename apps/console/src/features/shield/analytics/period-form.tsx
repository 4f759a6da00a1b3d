import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useState, type FormEvent } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import classes from "./analytics.module.css";

interface PeriodFormProps {
  /** As the fields have them, in the reader's zone. */
  readonly from: string;
  readonly to: string;
  /** Gets times in UTC. */
  readonly onChoose: (from: string, to: string) => void;
}

/** The start and the end of a period of the reader's choice. */
export function PeriodForm({ from, to, onChoose }: PeriodFormProps) {
  const { t } = useLingui();
  const [fields, setFields] = useState({ from, to });
  const [error, setError] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const start = Date.parse(fields.from);
    const end = Date.parse(fields.to);
    if (Number.isNaN(start) || Number.isNaN(end)) setError(t`Enter both times.`);
    else if (start >= end) setError(t`The end must be after the start.`);
    else if (start >= Date.now()) setError(t`The start must be in the past.`);
    else {
      setError(null);
      onChoose(new Date(start).toISOString(), new Date(end).toISOString());
    }
  }

  return (
    <form className={classes["periodForm"]} onSubmit={submit} noValidate>
      <TextInput
        type="datetime-local"
        label={t`Start`}
        value={fields.from}
        onChange={({ currentTarget }) => setFields({ ...fields, from: currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={t`End`}
        value={fields.to}
        error={error}
        onChange={({ currentTarget }) => setFields({ ...fields, to: currentTarget.value })}
      />
      <ActionButton type="submit" variant="default">
        <Trans>Show</Trans>
      </ActionButton>
    </form>
  );
}
