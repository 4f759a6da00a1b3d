import type { MessageDescriptor } from "@lingui/core";
import { i18n } from "@lingui/core";
import { I18nProvider, useLingui } from "@lingui/react";
import { StrictMode, useEffect, type ComponentType } from "react";

/** A public page: the build renders it ahead in each language, and the browser takes it over. */
export interface PublicPage {
  readonly title: MessageDescriptor;
  readonly description: MessageDescriptor;
  readonly Content: ComponentType;
}

/** The build and the browser render the same tree, so that the browser can take over the page. */
export function PublicDocument({ page }: { page: PublicPage }) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <DocumentHead page={page} />
        <page.Content />
      </I18nProvider>
    </StrictMode>
  );
}

export function documentTitle(title: string): string {
  return `${title} · Palisade`;
}

/** Keeps title and description in the language shown. */
function DocumentHead({ page }: { page: PublicPage }) {
  const { _ } = useLingui();
  const title = documentTitle(_(page.title));
  const description = _(page.description);
  useEffect(() => {
    document.title = title;
    document.querySelector("meta[name=description]")?.setAttribute("content", description);
  }, [title, description]);
  return null;
}
