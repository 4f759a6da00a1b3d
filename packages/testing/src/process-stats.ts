import { readdirSync, readFileSync } from "node:fs";

/** Statistics of Linux about a process and the processes it has started. */

/** The same on every Linux we support (sysconf CLK_TCK). */
const usPerTick = 10_000;

/** CPU time of the process since its start, of all threads, user and system. In microseconds. */
export function cpuUsOf(pid: number): number {
  return ticksOf(pid).own * usPerTick;
}

/** The same for a process and all processes it has started, those that have ended included. */
export function cpuUsOfTree(pid: number): number {
  const { own, ended } = ticksOf(pid);
  return (own + ended) * usPerTick + sumOfChildren(pid, cpuUsOfTree);
}

/** Current resident memory of the process. */
export function rssBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

/** The same for a process and all processes it has started; shared memory counts for each of them. */
export function rssBytesOfTree(pid: number): number {
  return rssBytesOf(pid) + sumOfChildren(pid, rssBytesOfTree);
}

/** Resident memory of a process and all it has started, in which shared pages count once. */
export function pssBytesOfTree(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1_024;
  return own + sumOfChildren(pid, pssBytesOfTree);
}

/** Time since the start during which the main thread was ready to run but had no core. */
export function runQueueWaitMsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

export function childrenOf(pid: number): number[] {
  // Linux lists a child under the thread that started it.
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const file = `/proc/${pid}/task/${thread}/children`;
    const text = unlessEnded(() => readFileSync(file, "utf8")) ?? "";
    return text.trim().split(" ").filter(Boolean).map(Number);
  });
}

function sumOfChildren(pid: number, of: (child: number) => number): number {
  return childrenOf(pid).reduce((sum, child) => sum + (unlessEnded(() => of(child)) ?? 0), 0);
}

/** Threads and children may end between two reads; then their files are gone. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** `ended`: ticks of children that have ended and were waited for. */
function ticksOf(pid: number): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name, which may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    own: Number(fields[11]) + Number(fields[12]),
    ended: Number(fields[13]) + Number(fields[14]),
  };
}
