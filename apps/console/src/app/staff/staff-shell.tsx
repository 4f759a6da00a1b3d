import { Frame } from "../shell/frame.tsx";
import { StaffNavigation } from "./staff-navigation.tsx";
import { StaffTopBar } from "./staff-top-bar.tsx";

/** The frame of the staff area. */
export function StaffShell() {
  return <Frame Navigation={StaffNavigation} TopBar={StaffTopBar} />;
}
