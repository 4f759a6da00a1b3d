import { UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Trans } from "@lingui/react/macro";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import classes from "../palette/palette-button.module.css";
import { StaffSearch } from "./staff-search.tsx";

/** Opens the search by a click, by Ctrl+K anywhere, and by `/` outside of fields. */
export function StaffSearchButton() {
  const [opened, setOpened] = useState(false);
  useHotkeys([["mod+K", () => setOpened((now) => !now)]], []);
  useHotkeys([["/", () => setOpened(true)]]);
  return (
    <>
      <UnstyledButton className={classes["button"]} onClick={() => setOpened(true)}>
        <IconSearch size={16} stroke={1.6} aria-hidden="true" />
        <span className={classes["text"]}>
          <Trans>Search everything…</Trans>
        </span>
        <kbd className={classes["keys"]}>/</kbd>
      </UnstyledButton>
      {opened ? <StaffSearch onClose={() => setOpened(false)} /> : null}
    </>
  );
}
