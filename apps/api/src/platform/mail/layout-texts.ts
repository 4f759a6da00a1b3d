import type { Locale } from "@palisade/contract/texts/render";

/** Words of every mail around what it says. */
export const layoutTexts = {
  en: {
    notYou: "If this was not you",
    writtenOut: "If the button does not work, open this address:",
    operator: "Palisade is run here by {name}, {address}.",
    contact: "Questions and support:",
  },
  ru: {
    notYou: "Если это были не вы",
    writtenOut: "Если кнопка не работает, откройте этот адрес:",
    operator: "Оператор этой установки Palisade: {name}, {address}.",
    contact: "Вопросы и поддержка:",
  },
} as const satisfies Record<Locale, unknown>;

export function operatorLine(
  locale: Locale,
  operator: { readonly name: string; readonly address: string },
): string {
  // Functions: a name with `$&` in it stands as it is.
  return layoutTexts[locale].operator
    .replace("{name}", () => operator.name)
    .replace("{address}", () => operator.address.replaceAll(/\s*\n\s*/g, ", "));
}
