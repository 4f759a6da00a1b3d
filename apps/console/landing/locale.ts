import { i18n } from "@lingui/core";
import { messages as en } from "./locales/en.po";
import { messages as ru } from "./locales/ru.po";
import { onStored, store } from "./stored.ts";

export type Locale = "en" | "ru";

const key = "persist: locale";

export function loadLocales(): void {
  i18n.load({ en, ru });
}

/** public/boot.js has put the language on <html>: the address's, the stored one or the browser's. */
export function startLocale(): void {
  loadLocales();
  show(document.documentElement.lang);
  onStored(key, ({ locale }) => show(locale));
  for (const press of ["click", "auxclick"]) document.addEventListener(press, storeAsked, true);
}

export function chooseLocale(locale: Locale): void {
  store(key, { locale });
  show(locale);
  forgetAsked();
}

export function activate(locale: Locale): void {
  i18n.activate(locale);
}

/** A link to one language names it only in the address; following a link from there stores it. */
function storeAsked(): void {
  const { lang } = document.documentElement;
  if (new URLSearchParams(location.search).get("lang") === lang) store(key, { locale: lang });
}

function show(locale: unknown): void {
  const known: Locale = locale === "ru" ? "ru" : "en";
  document.documentElement.lang = known;
  activate(known);
}

/** Removes the language from the address once another language is chosen. */
function forgetAsked(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has("lang")) return;
  url.searchParams.delete("lang");
  history.replaceState(history.state, "", url);
}
