import { Announcements } from "./announcements.tsx";
import { Frame } from "./frame.tsx";
import { Navigation } from "./navigation.tsx";
import { TopBar } from "./top-bar.tsx";

/** The frame of the dashboard. */
export function Shell() {
  return <Frame Navigation={Navigation} TopBar={TopBar} notices={<Announcements />} />;
}
