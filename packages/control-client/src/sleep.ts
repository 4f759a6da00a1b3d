import { setTimeout as delay } from "node:timers/promises";

/** Waits, or returns early when the signal fires. Never throws and keeps no process alive. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // It rejects only on abort, which the caller's loop checks next.
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
