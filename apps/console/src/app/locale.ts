import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { locales, type Locale } from "@palisade/contract/texts/locale";
import { queryClient } from "#src/api/query-client.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { toast } from "#src/ui/toasts.tsx";

/** How long the first page waits for its language before it is shown in English. */
const restoreLimitMs = 5000;

const catalogues = {
  en: () => import("../locales/en.po"),
  ru: () => import("../locales/ru.po"),
};

async function activate(locale: Locale, isStillWanted: () => boolean): Promise<void> {
  const { messages } = await catalogues[locale]();
  if (!isStillWanted()) return;
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}

/** The choice may change again while its catalogue loads. */
function activateChosen(): Promise<void> {
  const { locale } = useLocale.getState();
  return activate(locale, () => useLocale.getState().locale === locale);
}

/** Falls back to the language shown if the chosen catalogue does not load. */
async function changeLanguage(): Promise<void> {
  const { locale } = useLocale.getState();
  try {
    await activateChosen();
  } catch {
    const shown = locales.find((known) => known === i18n.locale);
    if (shown === undefined || useLocale.getState().locale !== locale) return;
    toast("error", i18n._(msg`This language could not be loaded. Reload the page to try again.`));
    useLocale.setState({ locale: shown });
    return;
  }
  // The api answers in the language of the request, so every answer is read again.
  await queryClient.invalidateQueries();
}

/**
 * Loads the stored language, or the browser's at the first visit, and follows later choices. If a
 * catalogue fails or takes too long, the console starts in English.
 */
export async function startLocale(): Promise<void> {
  useLocale.subscribe(() => void changeLanguage());
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, restoreLimitMs);
  });
  await Promise.race([activateChosen().catch(() => undefined), limit]);
  const hasCatalogue = () => i18n.locale !== "";
  if (!hasCatalogue()) await activate("en", () => !hasCatalogue());
}
