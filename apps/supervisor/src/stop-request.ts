import { SettingsError } from "@palisade/settings/settings";
import { StartError } from "./progress.ts";

/** One Ctrl-C arrives several times: from the terminal, and passed on by npm and by our script. */
const SAME_CTRL_C_MS = 2_000;

/**
 * Calls back once when this process shall stop: a signal, or the end of whoever started it with a
 * channel. A second Ctrl-C ends it at once; the children then notice by their channels.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let stoppingSinceMs: number | undefined;
  const request = (reason: string): void => {
    const nowMs = performance.now();
    if (stoppingSinceMs === undefined) {
      stoppingSinceMs = nowMs;
      stop(reason);
    } else if (reason === "SIGINT" && nowMs - stoppingSinceMs > SAME_CTRL_C_MS) {
      process.exit(130);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => request(signal));
  }
  process.on("disconnect", () => request("its parent has ended"));
  // Whoever read our output may be gone; that alone must not end us half-way.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** The reason for a person; with the stack only where it is a fault of ours. */
export function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
