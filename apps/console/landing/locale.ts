import { i18n } from "@lingui/core";
import { messages as en } from "./locales/en.po";
import { messages as ru } from "./locales/ru.po";
import { onStored, store } from "./stored.ts";

export type Locale = "en" | "ru";

const key = "persist: locale";

export function loadLocales(): void {
  i18n.load({ en, ru });
}

/** public/boot.js has put the language asked for, the stored or the browser's, on <html>. */
export function startLocale(): void {
  loadLocales();
  show(document.documentElement.lang);
  onStored(key, ({ locale }) => show(locale));
  for (const press of ["click", "auxclick"]) document.addEventListener(press, keepAsked, true);
}

export function chooseLocale(locale: Locale): void {
  store(key, { locale });
  show(locale);
  forgetAsked();
}

export function activate(locale: Locale): void {
  i18n.activate(locale);
}

/** A link to one language names it in the address only: who goes on from there keeps it. */
function keepAsked(): void {
  const { lang } = document.documentElement;
  if (new URLSearchParams(location.search).get("lang") === lang) store(key, { locale: lang });
}

function show(locale: unknown): void {
  const known: Locale = locale === "ru" ? "ru" : "en";
  document.documentElement.lang = known;
  activate(known);
}

/** A link to one language names it in the address; after another choice that would be wrong. */
function forgetAsked(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has("lang")) return;
  url.searchParams.delete("lang");
  history.replaceState(history.state, "", url);
}
