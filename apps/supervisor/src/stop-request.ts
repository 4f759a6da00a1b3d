import { SettingsError } from "@palisade/settings/settings";
import { StartError } from "./progress.ts";

/** One Ctrl-C arrives several times: from the terminal, from npm and from our script. */
const SAME_CTRL_C_MS = 2_000;

/**
 * Calls back once when this process has to stop: on a signal, or when the parent that started it with
 * a channel ends. A second Ctrl-C ends it at once; the children then see their channels close.
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
  process.on("disconnect", () => request("the parent process has ended"));
  // The reader of our output may have ended; that alone must not end this process.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** The reason in words for the operator; with the stack only when it is a bug. */
export function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
