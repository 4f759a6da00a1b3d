import "./theme.css";
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
// Only the components in use: a third of Mantine's whole stylesheet.
import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/ScrollArea.css";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/VisuallyHidden.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/Group.css";
import "@mantine/core/styles/Loader.css";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/PasswordInput.css";
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Switch.css";
import "@mantine/core/styles/ActionIcon.css";
import "@mantine/core/styles/Button.css";
import "@mantine/core/styles/Menu.css";
import "@mantine/core/styles/Tooltip.css";
import "@mantine/core/styles/Skeleton.css";
import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
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
// The code and the catalogue of the first page load in parallel.
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
