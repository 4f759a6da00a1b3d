import { i18n, type MessageDescriptor } from "@lingui/core";
import { renderToString } from "react-dom/server";
import { privacyPage } from "./legal/privacy-page.tsx";
import { termsPage } from "./legal/terms-page.tsx";
import { activate, loadLocales, type Locale } from "./locale.ts";
import { landingPage } from "./page/landing-page.tsx";
import { documentTitle, PublicDocument } from "./public-page.tsx";

export interface Rendered {
  readonly title: string;
  readonly description: string;
  readonly body: string;
}

const pages = { index: landingPage, terms: termsPage, privacy: privacyPage };

/** Renders a page as a signed-out visitor sees it first. Runs only while the console is built. */
export function prerender(name: keyof typeof pages, locale: Locale): Rendered {
  loadLocales();
  activate(locale);
  const page = pages[name];
  const text = (message: MessageDescriptor): string => i18n._(message);
  return {
    title: documentTitle(text(page.title)),
    description: text(page.description),
    body: renderToString(<PublicDocument page={page} />),
  };
}
