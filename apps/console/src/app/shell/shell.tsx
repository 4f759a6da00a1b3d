import { Trans } from "@lingui/react/macro";
import { Outlet } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useNavigationWidth } from "#src/lib/preferences.ts";
import { ModalHost } from "../modals/modal-host.tsx";
import { StepUpHost } from "../modals/step-up-host.tsx";
import { Navigation } from "./navigation.tsx";
import classes from "./shell.module.css";
import { TopBar } from "./top-bar.tsx";

/** The frame of the dashboard area. Up to 650 px the navigation is a drawer. */
export function Shell() {
  const { collapsed } = useNavigationWidth();
  const [drawerOpen, setDrawerOpen] = useState(false);

  useEffect(() => {
    if (!drawerOpen) return undefined;
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape") setDrawerOpen(false);
    };
    globalThis.addEventListener("keydown", close);
    return () => globalThis.removeEventListener("keydown", close);
  }, [drawerOpen]);

  return (
    <div className={classes["shell"]} data-collapsed={collapsed || undefined}>
      <a className={classes["skip"]} href="#content">
        <Trans>Skip to content</Trans>
      </a>
      {drawerOpen ? (
        <div
          className={classes["scrim"]}
          data-dialog-open
          onClick={() => setDrawerOpen(false)}
          aria-hidden="true"
        />
      ) : null}
      <Navigation drawerOpen={drawerOpen} onClose={() => setDrawerOpen(false)} />
      <div className={classes["column"]}>
        <TopBar onOpenDrawer={() => setDrawerOpen(true)} />
        <main id="content" tabIndex={-1} className={classes["content"]}>
          <Outlet />
        </main>
      </div>
      <ModalHost />
      <StepUpHost />
    </div>
  );
}
