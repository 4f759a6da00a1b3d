import { NativeSelect } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { absoluteTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";

interface SnoozeSelectProps {
  readonly size: "xs";
  readonly disabled: boolean;
  readonly until: string | null;
  readonly onSnooze: (until: string | null) => void;
}

const hourMs = 3_600_000;

/** Puts a ticket off; it is back at the time, or when the customer writes. */
export function SnoozeSelect({ size, disabled, until, onSnooze }: SnoozeSelectProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const now = useNow();
  const isSnoozed = until !== null && new Date(until) > now;
  const lengths = { 2: t`For 2 hours`, 24: t`For a day`, 72: t`For 3 days`, 168: t`For a week` };
  const time = isSnoozed ? absoluteTime(locale, new Date(until)) : "";
  return (
    <NativeSelect
      size={size}
      disabled={disabled}
      label={t`Snooze`}
      value=""
      data={[
        { value: "", label: isSnoozed ? t`Until ${time}` : t`Not snoozed` },
        ...Object.entries(lengths).map(([value, label]) => ({ value, label })),
        ...(isSnoozed ? [{ value: "0", label: t`Wake now` }] : []),
      ]}
      onChange={({ currentTarget: { value } }) => {
        if (value === "") return;
        const hours = Number(value);
        onSnooze(hours === 0 ? null : new Date(Date.now() + hours * hourMs).toISOString());
      }}
    />
  );
}
