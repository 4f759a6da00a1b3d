import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { useId, type ReactNode, type SyntheticEvent } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import classes from "./parts.module.css";

export interface StaffDialogFrame {
  readonly title: string;
  /** Label of the button that does it. */
  readonly action: string;
  /** For what takes something from a customer. */
  readonly danger?: boolean;
  /** For many fields. */
  readonly wide?: boolean;
  readonly onClose: () => void;
}

interface StaffDialogProps {
  readonly frame: StaffDialogFrame;
  readonly isPending: boolean;
  readonly onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

/** The dialog of a staff action: a form, and below it the way out and the action. */
export function StaffDialog({ frame, isPending, onSubmit, children }: StaffDialogProps) {
  const { title, action, danger = false, wide = false, onClose } = frame;
  const formId = useId();
  return (
    <Dialog
      opened
      title={title}
      wide={wide}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            type="submit"
            form={formId}
            loading={isPending}
            {...(danger ? { color: "danger" } : {})}
          >
            {action}
          </ActionButton>
        </>
      }
    >
      <form id={formId} className={classes["form"]} noValidate onSubmit={onSubmit}>
        {children}
      </form>
    </Dialog>
  );
}
