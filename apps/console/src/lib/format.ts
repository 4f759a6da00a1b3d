import type { Locale } from "@palisade/contract/texts/locale";

/** British dates for English: the day before the month, 24 hours. */
const dateTags: Record<Locale, string> = { en: "en-GB", ru: "ru-RU" };

const minuteMs = 60_000;
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 24 * 60 * minuteMs],
  ["month", 30 * 24 * 60 * minuteMs],
  ["day", 24 * 60 * minuteMs],
  ["hour", 60 * minuteMs],
  ["minute", minuteMs],
];

/** `3 minutes ago`; under a minute it is `now`, so that texts do not tick. */
export function relativeTime(locale: Locale, at: Date, now: Date): string {
  const format = new Intl.RelativeTimeFormat(dateTags[locale], { numeric: "auto" });
  const differenceMs = at.getTime() - now.getTime();
  for (const [unit, sizeMs] of steps) {
    const amount = Math.trunc(differenceMs / sizeMs);
    if (amount !== 0) return format.format(amount, unit);
  }
  return format.format(0, "second");
}

/** Day and minute in the reader's own zone. */
export function absoluteTime(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(dateTags[locale], {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(at);
}

/** Day and second in the reader's own zone, with the zone's name, to compare with logs. */
export function fullTime(locale: Locale, at: Date): string {
  return fullFormat(locale).format(at);
}

/** Both as `fullTime` has them; what they share, such as the day, is named once. */
export function fullRange(locale: Locale, from: Date, to: Date): string {
  return fullFormat(locale).formatRange(from, to);
}

function fullFormat(locale: Locale): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(dateTags[locale], {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}

export function day(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(dateTags[locale], { dateStyle: "medium" }).format(at);
}

/** The day in UTC, by which documents are dated and numbered. */
export function utcDay(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(dateTags[locale], { dateStyle: "medium", timeZone: "UTC" }).format(
    at,
  );
}

export function clock(locale: Locale, at: Date): string {
  return new Intl.DateTimeFormat(dateTags[locale], { hour: "2-digit", minute: "2-digit" }).format(
    at,
  );
}

export function euros(locale: Locale, cents: number): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100);
}

/** A change of a balance: `+€20.00` or `-€9.00`. */
export function signedEuros(locale: Locale, cents: number): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "EUR",
    signDisplay: "exceptZero",
  }).format(cents / 100);
}

/** Every digit, where a short form would hide a difference. */
export function wholeNumber(locale: Locale, value: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value);
}

/** Whole below ten thousand, then short: `18.4M`. */
export function count(locale: Locale, value: number): string {
  const format: Intl.NumberFormatOptions =
    Math.abs(value) < 10_000
      ? { maximumFractionDigits: 0 }
      : { notation: "compact", maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale, format).format(value);
}

/** Rates below ten keep one decimal, so that 0.3 joins a second is not shown as 0. */
export function rate(locale: Locale, perSecond: number): string {
  return new Intl.NumberFormat(locale, {
    maximumFractionDigits: perSecond < 10 ? 1 : 0,
  }).format(perSecond);
}

/** `0.3/s` */
export function perSecond(locale: Locale, value: number): string {
  return `${rate(locale, value)}${{ en: "/s", ru: "/с" }[locale]}`;
}

const bitUnits = {
  en: ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"],
  ru: ["бит/с", "кбит/с", "Мбит/с", "Гбит/с", "Тбит/с"],
} as const;
const byteUnits = {
  en: ["B", "KB", "MB", "GB", "TB", "PB"],
  ru: ["Б", "КБ", "МБ", "ГБ", "ТБ", "ПБ"],
} as const;

export function bandwidth(locale: Locale, bitsPerSecond: number): string {
  return scaled(locale, bitsPerSecond, bitUnits[locale]);
}

/** Powers of 1000, as traffic is sold. */
export function bytes(locale: Locale, value: number): string {
  return scaled(locale, value, byteUnits[locale]);
}

function scaled(locale: Locale, amount: number, units: readonly string[]): string {
  const power = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, amount)) / 3)),
  );
  const value = amount / 1000 ** power;
  const digits = value < 10 && power > 0 ? 1 : 0;
  const text = new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  return `${text} ${units[power]}`;
}

/** `7 seconds`, `1 минута`. */
export function quantity(
  locale: Locale,
  value: number,
  unit: "second" | "minute" | "hour" | "day" | "byte",
): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** Seconds of a receipt: two decimals below one second, one above. */
export function seconds(locale: Locale, milliseconds: number): string {
  const value = milliseconds / 1000;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: value < 1 ? 2 : 1 }).format(value);
}

/** A share given from 0 to 100. */
export function percent(locale: Locale, value: number): string {
  const format = { style: "percent", maximumFractionDigits: value < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale, format).format(value / 100);
}

/** `14:05`, of a time that is counted down. */
export function minutesAndSeconds(totalSeconds: number): string {
  const seconds = String(totalSeconds % 60).padStart(2, "0");
  return `${Math.floor(totalSeconds / 60)}:${seconds}`;
}

/** A rate of tax as the api says it, `25.50`: `25.5%`. */
export function taxRate(locale: Locale, rate: string): string {
  const format = { style: "percent", maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(locale, format).format(Number(rate) / 100);
}
