import { en, type TextKey } from "./en.ts";
import type { Locale } from "./locale.ts";
import { ru } from "./ru.ts";

export { locales, pickLocale, type Locale } from "./locale.ts";

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
