import type { MessageDescriptor } from "@lingui/core";
import { i18n } from "@lingui/core";
import { I18nProvider, useLingui } from "@lingui/react";
import { StrictMode, useEffect, type ComponentType } from "react";

/** A page for everybody: the browser shows it, the build renders it ahead in each language. */
export interface PublicPage {
  readonly title: MessageDescriptor;
  readonly description: MessageDescriptor;
  readonly Content: ComponentType;
}

/** The same tree for both, so that the browser can take over what was rendered ahead. */
export function PublicDocument({ page }: { page: PublicPage }) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <HeadInStep page={page} />
        <page.Content />
      </I18nProvider>
    </StrictMode>
  );
}

export function documentTitle(title: string): string {
  return `${title} · Palisade`;
}

/** Title and description follow the language shown. */
function HeadInStep({ page }: { page: PublicPage }) {
  const { _ } = useLingui();
  const title = documentTitle(_(page.title));
  const description = _(page.description);
  useEffect(() => {
    document.title = title;
    document.querySelector("meta[name=description]")?.setAttribute("content", description);
  }, [title, description]);
  return null;
}
