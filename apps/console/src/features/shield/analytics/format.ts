import type { Locale } from "@palisade/contract/texts/locale";

/** `18 ms`; below ten with one decimal. */
export function milliseconds(locale: Locale, value: number): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "millisecond",
    unitDisplay: "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** A share from 0 to 1: `99.8%`. */
export function share(locale: Locale, value: number): string {
  const format = { style: "percent", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(value);
}

/** `+12%`, `-3%`, against the period before. */
export function signedPercent(locale: Locale, value: number): string {
  return new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0,
    signDisplay: "exceptZero",
  }).format(value / 100);
}

const dateTags: Record<Locale, string> = { en: "en-GB", ru: "ru-RU" };

/** `10 minutes`, `1 hour`: how long a point of the charts lasts. */
export function stepLength(locale: Locale, seconds: number): string {
  const [unit, size] =
    seconds < 3_600
      ? (["minute", 60] as const)
      : seconds < 86_400
        ? hour
        : (["day", 86_400] as const);
  const format = { style: "unit", unit, unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale, format).format(seconds / size);
}

const hour = ["hour", 3_600] as const;

/** `25 Nov, 12:50 – 26 Nov, 12:50` in the reader's zone. */
export function periodText(locale: Locale, from: string, to: string): string {
  return new Intl.DateTimeFormat(dateTags[locale], {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).formatRange(Date.parse(from), Date.parse(to));
}
