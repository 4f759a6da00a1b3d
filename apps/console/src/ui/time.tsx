import { useNow } from "#src/lib/use-now.ts";
import { absoluteTime, day, relativeTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";

/** Relative time, with the absolute time in the reader's zone on hover. */
export function RelativeTime({ at }: { at: string }) {
  const { locale } = useLocale();
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(locale, date)}>
      {relativeTime(locale, date, now)}
    </time>
  );
}

/** A day, with the minute on hover. */
export function Day({ at }: { at: string }) {
  const { locale } = useLocale();
  const date = new Date(at);
  return (
    <time dateTime={at} title={absoluteTime(locale, date)}>
      {day(locale, date)}
    </time>
  );
}
