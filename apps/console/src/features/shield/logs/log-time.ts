import type { Locale } from "@palisade/contract/texts/locale";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Seconds count here. The day is left out on the same day, to leave room. */
export function logTime(locale: Locale, at: Date, now: Date): string {
  const isToday = at.toDateString() === now.toDateString();
  const key = `${locale} ${isToday}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : "ru-RU", {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      ...(isToday ? {} : { day: "numeric", month: "short" }),
    });
    formats.set(key, format);
  }
  return format.format(at);
}
