import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Server and load each have a core where there are two; otherwise they share and the run says so. */
export const isPinned = availableParallelism() >= 2 && existsSync("/usr/bin/taskset");

export type Core = "server" | "load";

const numbers = { server: "0", load: "1" } as const;

/**
 * The command that runs the given one on that core and ends it when we end, however we do. It
 * becomes that command, so the pid is the same.
 */
export function onCore(core: Core, command: string, args: readonly string[]): [string, string[]] {
  const pinned = isPinned ? ["/usr/bin/taskset", "-c", numbers[core]] : [];
  const mortal = existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--pdeathsig", "KILL"] : [];
  const [program = command, ...rest] = [...mortal, ...pinned, command, ...args];
  return [program, rest];
}
