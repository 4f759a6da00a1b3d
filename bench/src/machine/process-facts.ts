import { readdirSync, readFileSync } from "node:fs";

/** Of Linux on every machine we run on (sysconf CLK_TCK). */
const ticksPerSecond = 100;

/** CPU time the process has used since its start, all threads, user and system. In microseconds. */
export function cpuUsOf(pid: number): number {
  const { own } = ticksOf(pid);
  return (own * 1e6) / ticksPerSecond;
}

/** The same of a process and all its children, those that have ended included: a server of processes. */
export function cpuUsOfFamily(pid: number): number {
  const { own, ended } = ticksOf(pid);
  const running = sumOfChildren(pid, (child) => ticksOf(child).own);
  return ((own + ended + running) * 1e6) / ticksPerSecond;
}

function sumOfChildren(pid: number, of: (child: number) => number): number {
  const figures = childrenOf(pid).map((child) => {
    try {
      return of(child);
    } catch {
      // It has ended since.
      return 0;
    }
  });
  return figures.reduce((sum, figure) => sum + figure, 0);
}

/** Each is a child of the thread that has started it. */
function childrenOf(pid: number): number[] {
  const lists = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"),
  );
  return lists.flatMap((list) => list.trim().split(" ").filter(Boolean).map(Number));
}

/** How long the main thread was ready to run and had no core since the process began. */
export function coreAwaitedMsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

/** `ended`: of children that have ended. */
function ticksOf(pid: number): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name, which may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    own: Number(fields[11]) + Number(fields[12]),
    ended: Number(fields[13]) + Number(fields[14]),
  };
}

/** Resident memory of the process and its children now; what they share counts for each. */
export function rssBytesOfFamily(pid: number): number {
  return rssBytesOf(pid) + sumOfChildren(pid, rssBytesOf);
}

/** Resident memory of the process now. */
export function rssBytesOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
