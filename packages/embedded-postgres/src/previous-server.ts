import { readFile, readlink, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 50;
/** A server whose parent was killed gets a signal at once, but may still write a checkpoint. */
const OWN_STOP_MS = 3_000;
const FAST_STOP_MS = 15_000;
const IMMEDIATE_STOP_MS = 5_000;

/**
 * Waits for a server that an earlier, killed start left on this data folder, and stops it if it does
 * not end. The caller must hold the lock on the folder, because any server on it is stopped.
 *
 * A postmaster.pid whose pid now belongs to another program is removed: PostgreSQL only checks whether
 * such a process exists, and in containers pids are reused soon.
 */
export async function endPreviousServer(
  dataFolder: string,
  log: (line: string) => void,
): Promise<void> {
  const pid = await postmasterPid(dataFolder);
  if (pid === undefined) return;
  if (!(await isServerOf(pid, dataFolder))) {
    await rm(path.join(dataFolder, "postmaster.pid"), { force: true });
    return;
  }
  log(`PostgreSQL of an earlier start still runs (pid ${pid}); waiting for it to stop`);
  if (await isGone(pid, dataFolder, OWN_STOP_MS)) return;
  for (const [signal, waitMs] of [
    ["SIGINT", FAST_STOP_MS],
    ["SIGQUIT", IMMEDIATE_STOP_MS],
  ] as const) {
    killIfThere(pid, signal);
    if (await isGone(pid, dataFolder, waitMs)) return;
  }
  throw new Error(`PostgreSQL of an earlier start (pid ${pid}) on ${dataFolder} does not stop`);
}

/** The process may have ended since it was last seen. */
function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function postmasterPid(dataFolder: string): Promise<number | undefined> {
  const file = path.join(dataFolder, "postmaster.pid");
  const content = await readFile(file, "utf8").catch(() => "");
  const pid = Number.parseInt(content, 10);
  if (pid > 1) return pid;
  // PostgreSQL was killed between creating and filling the file, so it names no server.
  await rm(file, { force: true });
  return undefined;
}

/** A postmaster works in its data folder, which no other program does. */
async function isServerOf(pid: number, dataFolder: string): Promise<boolean> {
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === dataFolder;
}

async function isGone(pid: number, dataFolder: string, capMs: number): Promise<boolean> {
  const deadline = Date.now() + capMs;
  while (await isServerOf(pid, dataFolder)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
