import type { Locale } from "@palisade/contract/texts/render";

export interface Reader {
  readonly locale: Locale;
  /** IANA name. */
  readonly timeZone: string;
}

export interface Detail {
  readonly label: string;
  readonly value: string;
}

/** With its zone: a message is read wherever its reader is by then. */
export function timeText(iso: string, { locale, timeZone }: Reader): string {
  return new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: "short",
  }).format(new Date(iso));
}

/** The two greatest units; empty while there is no end. */
export function durationText(
  from: string | undefined,
  until: string | null | undefined,
  locale: Locale,
): string {
  if (from === undefined || until === null || until === undefined) return "";
  const seconds = Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1_000));
  const units = [
    ["day", Math.floor(seconds / 86_400)],
    ["hour", Math.floor(seconds / 3_600) % 24],
    ["minute", Math.floor(seconds / 60) % 60],
    ["second", seconds % 60],
  ] as const;
  const first = Math.min(
    units.findIndex(([, value]) => value > 0),
    units.length - 1,
  );
  return units
    .slice(first < 0 ? -1 : first)
    .slice(0, 2)
    .filter(([, value], index) => index === 0 || value > 0)
    .map(([unit, value]) =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value),
    )
    .join(" ");
}
