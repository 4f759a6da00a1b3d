import { readFileSync } from "node:fs";

/** Assumed where the system does not say. */
const openFilesFallback = 1_024;

/** The soft limit of open files of this process. Node raises it to the hard limit at start. */
export function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? openFilesFallback : Number(soft);
  } catch {
    return openFilesFallback;
  }
}
