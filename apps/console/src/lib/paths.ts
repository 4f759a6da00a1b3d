import { consolePaths } from "@palisade/contract/console-paths";

/** Every address of the console that a link leads to; `shield`, `ticket` and `staffPage` are the router's patterns. */
export const paths = {
  ...consolePaths,
  shield: `${consolePaths.shields}/$shieldId/{-$section}`,
  ticket: `${consolePaths.support}/ticket/$ticketId`,
  staffPage: `${consolePaths.staff}/{-$section}/{-$id}`,
} as const;

/** Whether a page is only for signed-in users. */
export function needsSession(pathname: string): boolean {
  return pathname.startsWith(paths.dashboard) || pathname.startsWith(paths.staff);
}
