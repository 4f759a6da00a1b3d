import "./theme.css";
import "@fontsource-variable/inter/wght.css";
import "./landing.css";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { startTransition, StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { startLocale } from "./locale.ts";
import { startTheme } from "./theme.ts";

/** Both languages are in the script: few words, and no second round trip before the first paint. */
export function start(page: ReactNode): void {
  const root = document.querySelector("#root");
  if (!root) throw new Error("The page has no #root");
  startLocale();
  startTheme();
  const reactRoot = createRoot(root);
  // As a transition it is rendered in slices: a slow phone stays responsive meanwhile.
  startTransition(() => {
    reactRoot.render(
      <StrictMode>
        <I18nProvider i18n={i18n}>{page}</I18nProvider>
      </StrictMode>,
    );
  });
}
