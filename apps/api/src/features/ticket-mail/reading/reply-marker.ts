import type { Locale } from "@palisade/contract/texts/render";

const words = {
  en: "Reply above this line",
  ru: "Напишите ответ над этой строкой",
} as const satisfies Record<Locale, string>;

/** The first line of mails about tickets: what a customer writes above it is their answer. */
export function replyMarker(locale: Locale): string {
  return `##- ${words[locale]} -##`;
}

/** Mail programs put quote signs before it and spaces around it. */
const markerLine = new RegExp(`^[>|\\s]*##-\\s?(?:${Object.values(words).join("|")})\\s?-##`);

export function isReplyMarker(line: string): boolean {
  return markerLine.test(line);
}
