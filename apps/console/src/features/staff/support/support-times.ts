import type { TargetHours } from "@palisade/contract/http/usual-answer";
import { duration } from "@palisade/contract/texts/duration";
import type { Locale } from "@palisade/contract/texts/render";

/** As names of the weekdays of a locale, from Monday. */
export function weekdays(locale: Locale, weekday: "short" | "long"): readonly string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format(Date.UTC(2024, 0, 1 + index)));
}

/** Weekdays in their order, with three or more in a row as a range. */
export function daysText(locale: Locale, days: readonly number[]): string {
  const names = weekdays(locale, "short");
  const nameOf = (day: number) => names[day - 1] ?? "";
  const rows: number[][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const row = rows.at(-1);
    if (row?.at(-1) === day - 1) row.push(day);
    else rows.push([day]);
  }
  const texts = rows.flatMap((row) => {
    const [first = 1] = row;
    return row.length < 3 ? row.map(nameOf) : [`${nameOf(first)}–${nameOf(row.at(-1) ?? first)}`];
  });
  return texts.join(", ");
}

interface Target {
  readonly minutes: number;
  readonly hours: TargetHours;
}

/** A day of support has fewer hours than a day: without days, nothing can be mistaken. */
export function targetTime(locale: Locale, { minutes, hours }: Target): string {
  if (hours === "always" || minutes < 60) return duration(locale, minutes * 60_000);
  const unit = (name: "hour" | "minute", value: number) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(
      value,
    );
  const rest = minutes % 60;
  const whole = unit("hour", Math.floor(minutes / 60));
  return rest === 0 ? whole : `${whole} ${unit("minute", rest)}`;
}
