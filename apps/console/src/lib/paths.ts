import { consolePaths } from "@palisade/contract/console-paths";

/** Every address of the console that a link leads to; `shield` is the router's pattern. */
export const paths = {
  ...consolePaths,
  shield: `${consolePaths.shields}/$shieldId/{-$section}`,
} as const;
