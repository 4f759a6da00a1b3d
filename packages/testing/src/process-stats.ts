import { readdirSync, readFileSync } from "node:fs";

/** What Linux tells of a process and those it has started. */

/** Of Linux on every machine we run on (sysconf CLK_TCK). */
const usPerTick = 10_000;

/** CPU time the process has used since its start, all threads, user and system. In microseconds. */
export function cpuUsOf(pid: number): number {
  return ticksOf(pid).own * usPerTick;
}

/** The same of a process and all that it has started, those that have ended included. */
export function cpuUsOfTree(pid: number): number {
  const { own, ended } = ticksOf(pid);
  return (own + ended) * usPerTick + sumOfChildren(pid, cpuUsOfTree);
}

/** Resident memory of the process now. */
export function rssBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

/** The same of a process and all that it has started; what they share counts for each. */
export function rssBytesOfTree(pid: number): number {
  return rssBytesOf(pid) + sumOfChildren(pid, rssBytesOfTree);
}

/** How long the main thread was ready to run and had no core since the process began. */
export function runQueueWaitMsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

export function childrenOf(pid: number): number[] {
  // Each is a child of the thread that has started it.
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const file = `/proc/${pid}/task/${thread}/children`;
    const text = unlessEnded(() => readFileSync(file, "utf8")) ?? "";
    return text.trim().split(" ").filter(Boolean).map(Number);
  });
}

function sumOfChildren(pid: number, of: (child: number) => number): number {
  return childrenOf(pid).reduce((sum, child) => sum + (unlessEnded(() => of(child)) ?? 0), 0);
}

/** Threads and children may end between two looks: their files are gone then. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** `ended`: of children that have ended and were waited for. */
function ticksOf(pid: number): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name, which may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    own: Number(fields[11]) + Number(fields[12]),
    ended: Number(fields[13]) + Number(fields[14]),
  };
}
