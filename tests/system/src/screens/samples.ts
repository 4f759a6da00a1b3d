import { locales, type Locale } from "@palisade/contract/texts/render";
import { isWhole } from "@palisade/testing/samples";
import { oppositeAppearances, type Appearance } from "./accounts.ts";

/** Other tests of these screens look at the dark theme in English. */
export const sampledAppearances: readonly Appearance[] = oppositeAppearances.filter(
  ({ theme }) => isWhole() || theme === "light",
);

/** That each text has a Russian one is checked of the catalogues; here, of what a page shows. */
export const sampledLocales: readonly Locale[] = locales.filter(
  (locale) => isWhole() || locale === "en",
);
