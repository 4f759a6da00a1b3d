import { Notifications } from "@mantine/notifications";
import classes from "./toast-host.module.css";

/** Where toasts appear. Those of before it was loaded have waited in their store. */
export function ToastHost() {
  return (
    <Notifications
      position="bottom-right"
      containerWidth={380}
      classNames={{ root: classes["toasts"] ?? "" }}
    />
  );
}
