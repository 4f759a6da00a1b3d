import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { Dialog } from "#src/ui/dialog.tsx";
import classes from "./tickets.module.css";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const shortcuts: readonly (readonly [string, string])[] = [
    ["J", t`Next ticket`],
    ["K", t`Previous ticket`],
    ["Enter", t`Open the ticket`],
    ["X", t`Choose the ticket for an action on several`],
    ["A", t`Assign the ticket to me`],
    ["R", t`Write a reply`],
    ["N", t`Write a note`],
    ["U", t`Back to the queue`],
    ["/", t`In an empty reply: choose a canned reply`],
    ["Ctrl Enter", t`Send`],
    ["?", t`This list`],
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
