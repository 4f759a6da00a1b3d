import { setTimeout as delay } from "node:timers/promises";
import { processStartTime } from "./process-start-time.ts";
import type { Progress } from "./progress.ts";
import { readRunFile, removeRunFile, writeRunFile, type RunFileContent } from "./run-files.ts";

type ChildEntry = RunFileContent<"children">[number];

/** Records on disk which children run, so that the next start finds those of a killed supervisor. */
export interface ChildRegistry {
  track(program: string, pid: number, isAlive: boolean): void;
}

export function createChildRegistry(home: string): ChildRegistry {
  const children = new Map<number, ChildEntry>();
  let writing = Promise.resolve();

  async function update(program: string, pid: number, isAlive: boolean): Promise<void> {
    const startTime = isAlive ? await processStartTime(pid) : undefined;
    if (startTime === undefined) children.delete(pid);
    else children.set(pid, { program, pid, startTime });
    await writeRunFile(home, "children", [...children.values()]);
  }

  return {
    track: (program, pid, isAlive) => {
      // One write after the other. A home that cannot be written to must not end the children.
      writing = writing.then(() => update(program, pid, isAlive)).catch(() => undefined);
    },
  };
}

const POLL_MS = 50;

/**
 * Waits for the children of a supervisor that was killed. They stop by themselves when its channel
 * closes, and hold their ports until then; a child that does not stop is killed.
 */
export async function endOrphans(
  home: string,
  progress: Progress,
  waitMsMax = 8_000,
): Promise<void> {
  const children = (await readRunFile(home, "children")) ?? [];
  for (const child of children) {
    if (await isGone(child, 0)) continue;
    progress.say(`waiting for the ${child.program} of an earlier start (pid ${child.pid}) to stop`);
    if (await isGone(child, waitMsMax)) continue;
    killIfThere(child.pid);
    await isGone(child, waitMsMax);
  }
  await removeRunFile(home, "children");
}

/** The process may have ended since it was last seen. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function isGone(child: ChildEntry, capMs: number): Promise<boolean> {
  const deadline = Date.now() + capMs;
  while ((await processStartTime(child.pid)) === child.startTime) {
    if (Date.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
