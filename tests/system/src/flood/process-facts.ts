import { readdirSync, readFileSync } from "node:fs";

/** Of Linux on every machine we run on (sysconf CLK_TCK). */
const msPerTick = 10;

export interface ProcessFacts {
  /** User and system time since the start. */
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** The process and all that it has started, as far as they still run. */
export function familyFacts(pid: number): ProcessFacts {
  try {
    const own = factsOf(pid);
    return childrenOf(pid).reduce((sum, child) => {
      const facts = familyFacts(child);
      return { cpuMs: sum.cpuMs + facts.cpuMs, rssBytes: sum.rssBytes + facts.rssBytes };
    }, own);
  } catch {
    // It has ended since.
    return { cpuMs: 0, rssBytes: 0 };
  }
}

function factsOf(pid: number): ProcessFacts {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name, which may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick,
    rssBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024,
  };
}

/** Each thread has children of its own. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(pid, thread));
}

function childrenOfThread(pid: number, thread: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
    return text.trim().split(" ").filter(Boolean).map(Number);
  } catch {
    // It has ended since.
    return [];
  }
}
