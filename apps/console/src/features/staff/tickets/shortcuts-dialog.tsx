import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Dialog } from "#src/ui/dialog.tsx";
import classes from "./tickets.module.css";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const shortcuts: readonly (readonly [string, ReactNode])[] = [
    ["J", <Trans>Next ticket</Trans>],
    ["K", <Trans>Previous ticket</Trans>],
    ["Enter", <Trans>Open the ticket</Trans>],
    ["X", <Trans>Choose the ticket for an action on several</Trans>],
    ["A", <Trans>Assign the ticket to me</Trans>],
    ["R", <Trans>Write a reply</Trans>],
    ["N", <Trans>Write a note</Trans>],
    ["U", <Trans>Back to the queue</Trans>],
    ["/", <Trans>In an empty reply: choose a canned reply</Trans>],
    ["Ctrl Enter", <Trans>Send</Trans>],
    ["?", <Trans>This list</Trans>],
  ];
  return (
    <Dialog
      opened
      title={t`Keyboard shortcuts`}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          <Trans context="close a dialog">Close</Trans>
        </Button>
      }
    >
      <dl className={classes["shortcuts"]}>
        {shortcuts.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
