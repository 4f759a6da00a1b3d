import type { Locale } from "@palisade/contract/texts/locale";
import { quantity } from "#src/lib/format.ts";

/** Times offered for verified players to stay known, in hours. */
const offered = [1, 6, 12, 24, 72, 120, 168, 336, 720] as const;

/** The offered times, and one that was set through the api. */
export function knownTimes(hours: number): readonly number[] {
  return [...new Set([...offered, hours])].toSorted((a, b) => a - b);
}

/** Whole days from one day on. */
export function knownTimeText(locale: Locale, hours: number): string {
  const isDays = hours >= 24 && hours % 24 === 0;
  return isDays ? quantity(locale, hours / 24, "day") : quantity(locale, hours, "hour");
}
