import { setTimeout as delay } from "node:timers/promises";
import { processStartTime } from "./process-time.ts";
import type { Progress } from "./progress.ts";
import { readRunFile, removeRunFile, type RunFacts } from "./run-files.ts";

type Leftover = RunFacts<"children">[number];

const POLL_MS = 50;

/**
 * Waits for the children of a supervisor that was killed: they stop by themselves once its channel
 * is closed, and hold their ports until then. One that does not is killed.
 */
export async function endLeftovers(
  home: string,
  progress: Progress,
  patienceMs = 8_000,
): Promise<void> {
  const children = (await readRunFile(home, "children")) ?? [];
  for (const child of children) {
    if (await isGone(child, 0)) continue;
    progress.say(`waiting for the ${child.program} of an earlier start (pid ${child.pid}) to stop`);
    if (await isGone(child, patienceMs)) continue;
    killIfThere(child.pid);
    await isGone(child, patienceMs);
  }
  await removeRunFile(home, "children");
}

/** It may end between the last look and this. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function isGone(child: Leftover, capMs: number): Promise<boolean> {
  const deadline = Date.now() + capMs;
  while ((await processStartTime(child.pid)) === child.startTime) {
    if (Date.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
