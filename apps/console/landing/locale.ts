import { i18n } from "@lingui/core";
import { messages as en } from "./locales/en.po";
import { messages as ru } from "./locales/ru.po";
import { onStored, store } from "./stored.ts";

export type Locale = "en" | "ru";

const key = "persist: locale";

/** public/boot.js has put the stored language, or the browser's, on <html>. */
export function startLocale(): void {
  i18n.load({ en, ru });
  activate(document.documentElement.lang);
  onStored(key, ({ locale }) => activate(locale));
}

export function chooseLocale(locale: Locale): void {
  store(key, { locale });
  activate(locale);
}

function activate(locale: unknown): void {
  const known: Locale = locale === "ru" ? "ru" : "en";
  document.documentElement.lang = known;
  i18n.activate(known);
}
