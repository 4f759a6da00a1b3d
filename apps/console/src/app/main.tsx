import "./theme.css";
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./mantine-styles.ts";
import "./global.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startLocale } from "./locale.ts";
import { Providers } from "./providers.tsx";
import { createConsoleRouter, preloadFirstPage } from "./router.tsx";

const root = document.querySelector("#root");
if (!root) throw new Error("index.html has no #root");

const router = createConsoleRouter();
// Code and words of the first page come side by side.
preloadFirstPage(router);
await startLocale();

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
