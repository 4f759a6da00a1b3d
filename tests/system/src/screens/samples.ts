import { locales, type Locale } from "@palisade/contract/texts/render";
import { oppositeAppearances, type Appearance } from "./accounts.ts";

/**
 * `npm run soak -- whole` tests everything in every appearance and language. `npm test` takes
 * samples: the code that draws a screen is the same in all of them.
 */
const isWhole = process.env["PALISADE_WHOLE"] === "yes";

/** Other tests of these screens look at the dark theme in English. */
export const sampledAppearances: readonly Appearance[] = oppositeAppearances.filter(
  ({ theme }) => isWhole || theme === "light",
);

/** That each text has a Russian one is checked of the catalogues; here, of what a page shows. */
export const sampledLocales: readonly Locale[] = locales.filter(
  (locale) => isWhole || locale === "en",
);

/**
 * Each item belongs to one of two groups, by turns.
 *
 * @param group 0 or 1
 */
export function byTurns<T>(items: readonly T[], group: number): readonly T[] {
  return items.filter((_, index) => isWhole || index % 2 === group);
}
