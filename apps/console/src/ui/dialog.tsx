import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import classes from "./dialog.module.css";

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Called on Escape; without it only the buttons close the dialog. */
  readonly onClose?: () => void;
  /** Buttons; the harmless one comes first and takes the focus. */
  readonly actions: ReactNode;
  /** For content wider than a question. */
  readonly wide?: boolean;
  /** At the right edge and as high as the window, for the details of a row. */
  readonly drawer?: boolean;
  readonly children: ReactNode;
}

/** Without this, a second Escape closes the dialog without asking. */
const unclosable = { closedby: "none" } as const;

/** The browser's own modal dialog, with its focus trap and Escape. */
export function Dialog({ opened, ...rest }: DialogProps) {
  return opened ? <OpenDialog {...rest} /> : null;
}

function OpenDialog(props: Omit<DialogProps, "opened">) {
  const { title, onClose, actions, wide, drawer, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it is removed: only then the browser restores the focus.
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
      data-drawer={drawer || undefined}
      {...(onClose === undefined ? unclosable : {})}
      onCancel={(event) => {
        // The caller's state decides whether the dialog closes.
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
