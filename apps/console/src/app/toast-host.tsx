import { Notifications } from "@mantine/notifications";

/** Where toasts appear. Those of before it was loaded have waited in their store. */
export function ToastHost() {
  return <Notifications position="bottom-right" containerWidth={380} />;
}
