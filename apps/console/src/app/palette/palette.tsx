import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { SearchDialog } from "#src/ui/search-dialog.tsx";
import classes from "./palette.module.css";
import { rankCommands } from "./rank.ts";
import { useCommands } from "./use-commands.ts";

/** Jumps to any page, shield section or action by typing, arrow keys and Enter. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState("");
  const found = rankCommands(useCommands(), typed);
  return (
    <SearchDialog
      label={t`Jump to`}
      placeholder={t`Jump to…`}
      typed={typed}
      onType={setTyped}
      found={found.map((command) => ({
        key: command.id,
        content: (
          <>
            <span>{command.label}</span>
            {command.hint === undefined ? null : (
              <span className={`mono ${classes["hint"]}`}>{command.hint}</span>
            )}
          </>
        ),
        follow: command.run,
      }))}
      onClose={onClose}
    >
      {found.length === 0 ? (
        <p className={classes["nothing"]}>
          <Trans>Nothing found</Trans>
        </p>
      ) : null}
      <p className={classes["keys"]} aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> <Trans>choose</Trans>
        </span>
        <span>
          <kbd>↵</kbd> <Trans>open</Trans>
        </span>
        <span>
          <kbd>Esc</kbd> <Trans>close</Trans>
        </span>
      </p>
    </SearchDialog>
  );
}
