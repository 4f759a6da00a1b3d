import { composeEdge } from "./compose.ts";
import { readConfig } from "./config.ts";

/** A stop that takes longer is a hang. */
const stopMs = 8_000;

const edge = composeEdge(readConfig());
let isStopping = false;

function stop(reason: string, exitCode = 0, work = () => edge.stop()): void {
  if (isStopping) return;
  isStopping = true;
  edge.log.info({ reason }, "stopping");
  setTimeout(() => process.exit(1), stopMs).unref();
  work().then(
    () => process.exit(exitCode),
    (error: unknown) => {
      edge.log.error({ err: error }, "stopping failed");
      process.exit(1);
    },
  );
}

process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
// For an upgrade: players stay, and whoever is started next takes over.
process.on("SIGUSR2", () => {
  process.send?.({ kind: "hand-over" });
  stop("SIGUSR2", 0, () => edge.handOver());
});
process.on("SIGHUP", () => edge.reload());
// Started by the supervisor: its end is ours, however it came.
process.on("disconnect", () => stop("supervisor gone"));

try {
  const facts = await edge.start();
  process.send?.({ kind: "ready", ...facts });
} catch (error) {
  const reason = error instanceof Error ? error.message : "the edge cannot start";
  edge.log.fatal({ err: error }, reason);
  stop("cannot start", 1);
}
