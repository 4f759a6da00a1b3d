import { NativeSelect, TextInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { absoluteTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { endChoices, type EndChoice } from "./entry-end.ts";

interface EndFieldProps {
  /** The end that the entry has now; undefined for a new entry. */
  readonly current?: string | null;
  readonly choice: EndChoice;
  /** As a field of date and time holds it. */
  readonly date: string;
  readonly error?: string | undefined;
  readonly onChoice: (choice: EndChoice) => void;
  readonly onDate: (date: string) => void;
}

/** How long an entry holds; a date and a time of one's own show below. */
export function EndField(props: EndFieldProps) {
  const { current = null, choice, date, error, onChoice, onDate } = props;
  const { t } = useLingui();
  const { locale } = useLocale();
  const isDate = choice === "date";
  const until = current === null ? "" : absoluteTime(locale, new Date(current));
  const labels: Record<EndChoice, string> = {
    keep: t`Until ${until}`,
    always: t`Always`,
    "1h": t`1 hour`,
    "1d": t`1 day`,
    "7d": t`7 days`,
    "30d": t`30 days`,
    date: t`Until a date`,
  };
  const choices = endChoices.filter((each) => each !== "keep" || current !== null);
  return (
    <>
      <NativeSelect
        name="lasts"
        label={t`For`}
        data={choices.map((value) => ({ value, label: labels[value] }))}
        value={choice}
        error={isDate ? undefined : error}
        // The options are the choices.
        onChange={({ currentTarget }) => onChoice(currentTarget.value as EndChoice)}
      />
      {isDate ? (
        <TextInput
          name="expires_at"
          type="datetime-local"
          label={t`Until`}
          description={t`In your time zone`}
          inputWrapperOrder={["label", "input", "error", "description"]}
          value={date}
          error={error}
          onChange={({ currentTarget }) => onDate(currentTarget.value)}
        />
      ) : null}
    </>
  );
}
