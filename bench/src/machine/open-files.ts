import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const wanted = 65_536;
const command = ["/usr/bin/prlimit", `--nofile=${wanted}:${wanted}`] as const;
/** Only root may, and not in every container. */
const isRaised = spawnSync(command[0], [command[1], "true"]).status === 0;

/** Open files that a started program may have: the hard limit, raised if this is permitted. */
export const openFilesMax = isRaised ? wanted : hardLimit();

/** The beginning of a command line that starts a program with this limit. */
export const withOpenFiles: readonly string[] = isRaised ? command : [];

function hardLimit(): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1]);
}
