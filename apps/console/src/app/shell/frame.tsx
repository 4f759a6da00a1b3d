import { Trans } from "@lingui/react/macro";
import { Outlet } from "@tanstack/react-router";
import { useMediaQuery, useNetwork } from "@mantine/hooks";
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from "react";
import { IconWifiOff } from "@tabler/icons-react";
import { useNavigationWidth } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { ModalHost, StepUpHost } from "./modal-host.tsx";
import type { NavigationProps } from "./navigation-frame.tsx";
import classes from "./shell.module.css";
import type { TopBarProps } from "./top-bar-frame.tsx";

interface FrameProps {
  readonly Navigation: ComponentType<NavigationProps>;
  readonly TopBar: ComponentType<TopBarProps>;
  /** Above the page. */
  readonly notices?: ReactNode;
}

/** The frame of the signed-in pages. Up to 650 px wide, the navigation is a drawer. */
export function Frame({ Navigation, TopBar, notices }: FrameProps) {
  const { collapsed } = useNavigationWidth();
  const [isOpened, setOpened] = useState(false);
  const isDrawer = useMediaQuery("(max-width: 650px)", false, { getInitialValueInEffect: false });
  const burger = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLElement>(null);
  const drawerOpen = isDrawer && isOpened;

  useEffect(() => {
    if (!drawerOpen) return undefined;
    const opener = burger.current;
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape") setOpened(false);
    };
    globalThis.addEventListener("keydown", close);
    return () => {
      globalThis.removeEventListener("keydown", close);
      // Return the focus to the button that opened the drawer.
      opener?.focus();
    };
  }, [drawerOpen]);

  return (
    <div className={classes["shell"]} data-collapsed={collapsed || undefined}>
      <a
        className={classes["skip"]}
        href="#content"
        onClick={(event) => {
          // Do not change the address: the router treats another hash as another page.
          event.preventDefault();
          content.current?.focus();
        }}
      >
        <Trans>Skip to content</Trans>
      </a>
      {drawerOpen ? (
        <div
          className={classes["scrim"]}
          data-dialog-open
          onClick={() => setOpened(false)}
          aria-hidden="true"
        />
      ) : null}
      <Navigation
        drawer={isDrawer ? (drawerOpen ? "open" : "closed") : undefined}
        onClose={() => setOpened(false)}
      />
      <div className={classes["column"]} inert={drawerOpen}>
        <TopBar burger={burger} onOpenDrawer={() => setOpened(true)} />
        <OfflineNotice />
        {notices}
        <main ref={content} id="content" tabIndex={-1} className={classes["content"]}>
          <Outlet />
        </main>
      </div>
      <ModalHost />
      <StepUpHost />
    </div>
  );
}

/** Calls made offline fail and are not repeated later, so the user must know they are offline. */
function OfflineNotice() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <div className={classes["offline"]}>
      <Banner
        tone="attack"
        live="polite"
        icon={<IconWifiOff size={17} stroke={1.6} aria-hidden="true" />}
      >
        <Trans>You are offline. Your input is kept. Continue when the connection is back.</Trans>
      </Banner>
    </div>
  );
}
