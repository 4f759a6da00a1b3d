/** Apart from the texts, so that who only has to choose a language need not load both. */
export const locales = ["en", "ru"] as const;
export type Locale = (typeof locales)[number];

/** The best supported locale of an `Accept-Language` header; English otherwise. */
export function pickLocale(acceptLanguage: string | undefined): Locale {
  const ranked = (acceptLanguage ?? "")
    .split(",")
    .slice(0, 16)
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = parameters
        .map((p) => /^\s*q=([\d.]+)$/.exec(p)?.[1])
        .find((q) => q !== undefined);
      return {
        language: tag.split("-")[0] ?? "",
        quality: quality === undefined ? 1 : Number(quality),
      };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  const match = ranked.find(({ language }) => locales.some((locale) => locale === language));
  return match?.language === "ru" ? "ru" : "en";
}
