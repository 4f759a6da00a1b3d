import { Trans } from "@lingui/react/macro";
import { absoluteTime, relativeTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";
import classes from "./tickets.module.css";

interface DueTimeProps {
  readonly dueAt: string | null;
  readonly snoozedUntil: string | null;
}

/** When an answer is due, or until when the ticket is put off. */
export function DueTime({ dueAt, snoozedUntil }: DueTimeProps) {
  const { locale } = useLocale();
  const now = useNow();
  const isSnoozed = snoozedUntil !== null && new Date(snoozedUntil) > now;
  const shown = isSnoozed ? snoozedUntil : dueAt;
  if (shown === null) return null;
  const at = new Date(shown);
  const time = relativeTime(locale, at, now);
  const isOverdue = !isSnoozed && at <= now;
  return (
    <time
      className={classes["due"]}
      data-overdue={isOverdue || undefined}
      dateTime={shown}
      title={absoluteTime(locale, at)}
    >
      {isSnoozed ? (
        <Trans>Snoozed, back {time}</Trans>
      ) : isOverdue ? (
        <Trans>Overdue, was due {time}</Trans>
      ) : (
        <Trans>Due {time}</Trans>
      )}
    </time>
  );
}
