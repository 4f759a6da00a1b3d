import { consolePaths } from "@palisade/contract/console-paths";

/** Every address of the console that a link leads to; `shield` and `ticket` are the router's patterns. */
export const paths = {
  ...consolePaths,
  shield: `${consolePaths.shields}/$shieldId/{-$section}`,
  ticket: `${consolePaths.support}/ticket/$ticketId`,
} as const;
