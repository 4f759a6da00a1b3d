import { openApiPath } from "./openapi.ts";

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
  customCss: ":is(th, td, td code) { word-break: normal; overflow-wrap: break-word }",
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

/** The theme is the console's choice; `type` of an error leads to the chapter about errors. */
export const referenceScript = `(() => {
  const mode = () => {
    try {
      return JSON.parse(localStorage.getItem("persist: theme") ?? "null")?.state?.mode;
    } catch {
      return undefined;
    }
  };
  if (/^#[a-z_]+$/.test(location.hash)) location.replace("#description/errors");
  Scalar.createApiReference("#reference", {
    ...${JSON.stringify(configuration)},
    forceDarkModeState: mode() === "light" ? "light" : "dark",
  });
})();
`;
