import type { Locale } from "@palisade/contract/texts/render";
import type { Translations } from "#src/schema/plans.ts";

/**
 * A text of a plan or location in a language. An untranslated text is in English, which the row's
 * own columns hold.
 */
export function translated<Texts extends object, Field extends keyof Texts>(
  row: NoInfer<Readonly<Pick<Texts, Field>>> & { readonly translations: Translations<Texts> },
  field: Field,
  locale: Locale,
): Texts[Field] {
  const english: Readonly<Pick<Texts, Field>> = row;
  return row.translations[locale]?.[field] ?? english[field];
}
