import { Button } from "@mantine/core";
import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import classes from "./toasts.module.css";

const shortMs = 3000;
/** An error this new may be the reason for going to another page, and stays there. */
const newMs = 2000;
/** Long enough to read it and to undo. */
const undoMs = 10_000;
type ToastType = "success" | "error" | "info";

const icons = {
  success: <IconCircleCheck size={20} stroke={1.6} color="var(--protected)" />,
  error: <IconAlertTriangle size={20} stroke={1.6} color="var(--danger)" />,
  info: <IconInfoCircle size={20} stroke={1.6} color="var(--accent)" />,
};

/** When each error was shown, by its id. */
const errorsShownMs = new Map<string, number>();

/** Shows a toast; errors stay until dismissed or left behind, and the same text is not stacked. */
export function toast(type: ToastType, message: string): void {
  const id = `${type}: ${message}`;
  notifications.hide(id);
  if (type === "error") errorsShownMs.set(id, Date.now());
  notifications.show({
    id,
    message,
    icon: icons[type],
    closeButtonProps: { "aria-label": i18n._(msg`Dismiss`) },
    autoClose: type === "error" ? false : shortMs,
  });
}

/** Hides the errors of a page that is left. */
export function leaveErrorsBehind(): void {
  const now = Date.now();
  for (const [id, shownMs] of errorsShownMs) {
    if (now - shownMs < newMs) continue;
    errorsShownMs.delete(id);
    notifications.hide(id);
  }
}

/** Reports an action that can be undone while the toast is visible. */
export function undoToast(message: string, undo: () => void): void {
  const id = `undo: ${message}`;
  notifications.hide(id);
  notifications.show({
    id,
    message: (
      <span className={classes["undo"]}>
        {message}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {i18n._(msg`Undo`)}
        </Button>
      </span>
    ),
    icon: icons.success,
    closeButtonProps: { "aria-label": i18n._(msg`Dismiss`) },
    autoClose: undoMs,
  });
}
