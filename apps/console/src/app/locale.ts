import { i18n } from "@lingui/core";
import type { Locale } from "@palisade/contract/texts/render";
import { queryClient } from "#src/api/query-client.ts";
import { useLocale } from "#src/lib/preferences.ts";

const catalogues = {
  en: () => import("../locales/en.po"),
  ru: () => import("../locales/ru.po"),
};

async function activate(locale: Locale): Promise<void> {
  const { messages } = await catalogues[locale]();
  // The choice may have changed while its words were on their way.
  if (useLocale.getState().locale !== locale) return;
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}

/** Loads the stored language, or the browser's at the first visit, and follows later choices. */
export async function startLocale(): Promise<void> {
  useLocale.subscribe(({ locale }) => {
    // Texts of the server come in the language of the request: ask again.
    void activate(locale).then(() => queryClient.invalidateQueries());
  });
  await activate(useLocale.getState().locale);
}
