import { i18n, type Messages } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { locales, type Locale } from "@palisade/contract/texts/locale";
import { queryClient } from "#src/api/query-client.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { toast } from "#src/ui/toasts.tsx";

/** How long the first page waits for its language before it is shown in English. */
const restoreLimitMs = 5000;

type Catalogue = Record<Locale, () => Promise<{ readonly messages: Messages }>>;

const shared: Catalogue = {
  en: () => import("../locales/en.po"),
  ru: () => import("../locales/ru.po"),
};

/** The texts of a feature's pages. They load with the first of these pages. */
const features = {
  billing: {
    en: () => import("../features/billing/locales/en.po"),
    ru: () => import("../features/billing/locales/ru.po"),
  },
  profile: {
    en: () => import("../features/profile/locales/en.po"),
    ru: () => import("../features/profile/locales/ru.po"),
  },
  setup: {
    en: () => import("../features/setup/locales/en.po"),
    ru: () => import("../features/setup/locales/ru.po"),
  },
  shield: {
    en: () => import("../features/shield/locales/en.po"),
    ru: () => import("../features/shield/locales/ru.po"),
  },
  staff: {
    en: () => import("../features/staff/locales/en.po"),
    ru: () => import("../features/staff/locales/ru.po"),
  },
  support: {
    en: () => import("../features/support/locales/en.po"),
    ru: () => import("../features/support/locales/ru.po"),
  },
  supportPlans: {
    en: () => import("../features/support-plans/locales/en.po"),
    ru: () => import("../features/support-plans/locales/ru.po"),
  },
} satisfies Record<string, Catalogue>;

/** The texts that are loaded again when the language changes. */
const inUse = new Set<Catalogue>([shared]);
const firstActivation = Promise.withResolvers<void>();

async function activate(locale: Locale, isStillWanted: () => boolean): Promise<void> {
  const parts = new Map<Catalogue, Messages>();
  // A page may be opened while they load.
  while (parts.size < inUse.size) {
    const missing = [...inUse].filter((catalogue) => !parts.has(catalogue));
    const read = await Promise.all(missing.map((catalogue) => catalogue[locale]()));
    for (const [index, catalogue] of missing.entries())
      parts.set(catalogue, read[index]?.messages ?? {});
  }
  if (!isStillWanted()) return;
  i18n.loadAndActivate({ locale, messages: Object.assign({}, ...parts.values()) as Messages });
  document.documentElement.lang = locale;
  firstActivation.resolve();
}

async function loadTexts(catalogue: Catalogue): Promise<void> {
  if (inUse.has(catalogue)) return;
  // The first page's texts load together with the shared ones.
  void catalogue[useLocale.getState().locale]().catch(() => undefined);
  await firstActivation.promise;
  const locale = i18n.locale as Locale;
  const { messages } = await catalogue[locale]();
  i18n.load(locale, messages);
  if (i18n.locale === locale) inUse.add(catalogue);
  else await loadTexts(catalogue);
}

/** Loads a page's code and the texts of its feature together. */
export async function withTexts<Module>(
  feature: keyof typeof features,
  page: Promise<Module>,
): Promise<Module> {
  const [module] = await Promise.all([page, loadTexts(features[feature])]);
  return module;
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
