import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import classes from "./dialog.module.css";

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What Escape does; without it only the buttons close the dialog. */
  readonly onClose?: () => void;
  /** Buttons, the harmless one first: it takes the focus. */
  readonly actions: ReactNode;
  /** For what does not fit the width of a question. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A second Escape in a row would not ask any more. */
const unclosable = { closedby: "none" } as const;

/** A question that must be answered: the browser's own modal, with its focus trap and Escape. */
export function Dialog({ opened, ...rest }: DialogProps) {
  return opened ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ title, onClose, actions, wide, children }: Omit<DialogProps, "opened">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it leaves the page: only then the browser gives back the focus it took.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes["dialog"]}
      aria-labelledby={id}
      data-dialog-open
      data-wide={wide || undefined}
      {...(onClose === undefined ? unclosable : {})}
      onCancel={(event) => {
        // The caller decides: an Escape must not close what its state holds open.
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className={classes["body"]}>{children}</div>
      <div className={classes["actions"]}>{actions}</div>
    </dialog>
  );
}
