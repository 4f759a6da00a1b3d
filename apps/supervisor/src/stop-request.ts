import { SettingsError } from "@palisade/settings/settings";
import { StartError } from "./progress.ts";

/**
 * Calls back once when this process shall stop: a signal, or the end of whoever started it with a
 * channel. A second Ctrl-C ends it at once; the children then notice by their channels.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let isStopping = false;
  const request = (reason: string): void => {
    if (isStopping && reason === "SIGINT") process.exit(130);
    if (isStopping) return;
    isStopping = true;
    stop(reason);
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
