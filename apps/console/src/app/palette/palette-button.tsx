import { UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Trans } from "@lingui/react/macro";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import classes from "./palette-button.module.css";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette }) => ({ default: Palette })));

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function PaletteButton() {
  const [opened, setOpened] = useState(false);
  // Active in text fields too: the keys have no other meaning there.
  useHotkeys([["mod+K", () => setOpened((now) => !now)]], []);
  return (
    <>
      <UnstyledButton className={classes["button"]} onClick={() => setOpened(true)}>
        <IconSearch size={16} stroke={1.6} aria-hidden="true" />
        <span className={classes["text"]}>
          <Trans>Jump to…</Trans>
        </span>
        <kbd className={classes["keys"]}>{isMac ? "⌘ K" : "Ctrl K"}</kbd>
      </UnstyledButton>
      {opened ? (
        <Suspense>
          <Palette onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
