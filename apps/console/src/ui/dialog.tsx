import { useEffect, useId, useRef, type ReactNode } from "react";
import classes from "./dialog.module.css";

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons, the harmless one first: it takes the focus. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** A question that must be answered: the browser's own modal, with its focus trap and Escape. */
export function Dialog({ opened, title, onClose, actions, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!opened) return undefined;
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, [opened]);
  if (!opened) return null;
  return (
    <dialog
      ref={dialog}
      className={classes["dialog"]}
      aria-labelledby={id}
      data-dialog-open
      onCancel={(event) => {
        // The caller decides: an Escape must not close what its state holds open.
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className={classes["body"]}>{children}</div>
      <div className={classes["actions"]}>{actions}</div>
    </dialog>
  );
}
