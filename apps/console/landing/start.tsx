import "./theme.css";
import "@fontsource-variable/inter/wght.css";
import "./landing.css";
import { startTransition, useLayoutEffect } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { startLocale } from "./locale.ts";
import { PublicDocument, type PublicPage } from "./public-page.tsx";
import { startTheme } from "./theme.ts";

/** Both languages are in the script: they are small, and save a round trip before the first paint. */
export function start(page: PublicPage): void {
  const root = document.querySelector("#root");
  if (!root) throw new Error("The page has no #root");
  startLocale();
  startTheme();
  // A transition is rendered in slices, so that a slow phone stays responsive.
  startTransition(() => {
    if (isRenderedForThisVisitor(root)) {
      hydrateRoot(root, <PublicDocument page={page} />);
      return;
    }
    createRoot(root).render(
      <>
        <ShowOnceRendered />
        <PublicDocument page={page} />
      </>,
    );
  });
}

/** public/boot.js marks the page for visitors who want another language or are signed in. */
function isRenderedForThisVisitor(root: Element): boolean {
  return root.hasChildNodes() && document.documentElement.dataset["pending"] === undefined;
}

function ShowOnceRendered() {
  useLayoutEffect(() => {
    delete document.documentElement.dataset["pending"];
  }, []);
  return null;
}
