import { openApiPath } from "./openapi.ts";

/**
 * Tables scroll by themselves on a phone, and their words stay whole. Colours of Scalar's that fall
 * short of 4.5:1 on what they stand on.
 */
const css = `
.markdown table { display: block !important; overflow-x: auto !important }
.markdown :is(th, td, td code) { word-break: normal !important; overflow-wrap: normal !important }
.markdown td code { white-space: nowrap }
.dark-mode { --scalar-color-3: #949494; --scalar-color-red: #ff7b7b }
.light-mode {
  --scalar-color-2: #5b5b5b;
  --scalar-color-3: #666666;
  --scalar-color-blue: #0063a6;
  --scalar-color-green: #0a6c3c;
  --scalar-color-orange: #a83a00;
  --scalar-color-red: #b3261e;
}`;

const configuration = {
  url: openApiPath,
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideDarkModeToggle: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  // Our own samples, which are tested, instead of those it makes up.
  hiddenClients: true,
  // A pasted key is gone with the page.
  persistAuth: false,
  orderSchemaPropertiesBy: "preserve",
  customCss: css,
  authentication: { preferredSecurityScheme: "apiKey" },
};

export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>API reference · Palisade</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="js/scalar.js"></script>
    <script src="page.js"></script>
  </body>
</html>
`;

/**
 * What Scalar's markup leaves out for screen readers and keyboards: names of buttons, a way into what
 * scrolls, and landmarks that are told apart. It renders while one reads, so this goes along.
 */
const accessibility = `
  const mend = () => {
    for (const copy of document.querySelectorAll(".scalar-code-copy:not([aria-label])")) {
      copy.setAttribute("aria-label", "Copy");
    }
    for (const more of document.querySelectorAll(".show-more[aria-label]")) {
      const [shown, named] = [more.textContent.trim(), more.getAttribute("aria-label")];
      if (!named.startsWith(shown)) more.setAttribute("aria-label", shown + ": " + named);
    }
    for (const scrolling of document.querySelectorAll(
      ".custom-scroll:not([tabindex]), .markdown table:not([tabindex]), .endpoints:not([tabindex])",
    )) {
      scrolling.tabIndex = 0;
    }
    for (const part of document.querySelectorAll("section.contents, .response-card")) {
      part.setAttribute("role", "group");
    }
  };
  let isAwaited = false;
  new MutationObserver(() => {
    if (isAwaited) return;
    isAwaited = true;
    requestAnimationFrame(() => {
      isAwaited = false;
      mend();
    });
  }).observe(document.body, { childList: true, subtree: true });`;

/** The theme is the console's choice; `type` of an error leads to the chapter about errors. */
export const referenceScript = `(() => {
  const mode = () => {
    try {
      return JSON.parse(localStorage.getItem("persist: theme") ?? "null")?.state?.mode;
    } catch {
      return undefined;
    }
  };
${accessibility}
  if (/^#[a-z_]+$/.test(location.hash)) location.replace("#description/errors");
  Scalar.createApiReference("#reference", {
    ...${JSON.stringify(configuration)},
    forceDarkModeState: mode() === "light" ? "light" : "dark",
  });
})();
`;
