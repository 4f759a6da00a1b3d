import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { withOpenFiles } from "./open-files.ts";

/** Server and load have one core each if there are two; otherwise they share and the result says so. */
export const isPinned = availableParallelism() >= 2 && existsSync("/usr/bin/taskset");

export type Core = "server" | "load";

const numbers = { server: "0", load: "1" } as const;

/**
 * Wraps a command so that it runs on that core with enough open files, and ends when this process ends,
 * however it ends. The
 * wrapper replaces itself by the command, so the pid stays the same.
 */
export function onCore(core: Core, command: string, args: readonly string[]): [string, string[]] {
  const pinned = isPinned ? ["/usr/bin/taskset", "-c", numbers[core]] : [];
  const mortal = existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--pdeathsig", "KILL"] : [];
  const [program = command, ...rest] = [...mortal, ...withOpenFiles, ...pinned, command, ...args];
  return [program, rest];
}
