import { Notifications } from "@mantine/notifications";
import classes from "./toast-host.module.css";

/** Shows toasts. Toasts from before it was loaded waited in their store. */
export function ToastHost() {
  return (
    <Notifications
      position="bottom-right"
      containerWidth={380}
      classNames={{ root: classes["toasts"] ?? "" }}
    />
  );
}
