import { en, type TextKey } from "./en.ts";
import { ru } from "./ru.ts";

export const locales = ["en", "ru"] as const;
export type Locale = (typeof locales)[number];

const catalogues: Record<Locale, Record<TextKey, string>> = { en, ru };

export function isTextKey(value: string): value is TextKey {
  return Object.hasOwn(en, value);
}

/**
 * The text of `key` with `{name}` replaced from `values`. A key the contract does
 * not know (a zod default) is rendered as `invalid`, never shown raw.
 */
export function renderText(
  locale: Locale,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const template = catalogues[locale][isTextKey(key) ? key : "invalid"];
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

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
