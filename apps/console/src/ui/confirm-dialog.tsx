import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Label of the confirming button. */
  readonly action: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      opened={props.opened}
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button variant="default" onClick={props.onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button color="danger" onClick={props.onConfirm}>
            {props.action}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
