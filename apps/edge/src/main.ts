import { spawn } from "node:child_process";
import { once } from "node:events";
import { checkLayouts } from "@palisade/sockets/check-layouts";
import { composeEdge } from "./compose.ts";
import { readConfig } from "./config.ts";

/** A stop that takes longer counts as hung. */
const stopMs = 8_000;

/**
 * The next edge must be checked within this time, and accept players within as much again, or it
 * does not start.
 */
const nextMs = 60_000;

const checkFlag = "--check";

const edge = composeEdge(readConfig());
if (process.argv.includes(checkFlag)) process.exit();
let isStopping = false;
let isSteppingBack = false;

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

/** Whether the program on disk can be loaded and understands the settings. */
async function isNextSound(): Promise<boolean> {
  const [, program = ""] = process.argv;
  const check = spawn(process.execPath, [...process.execArgv, program, checkFlag], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: nextMs,
  });
  const [exitCode] = await once(check, "exit");
  return exitCode === 0;
}

/**
 * The supervisor starts the next edge and tells this one to leave when that one takes players.
 * Until then this edge goes on with its configuration.
 */
async function handOver(): Promise<void> {
  if (process.send === undefined || !edge.canBeFollowed) {
    stop("SIGUSR2", 0, () => edge.handOver());
    return;
  }
  if (isStopping || isSteppingBack) return;
  isSteppingBack = true;
  if (!(await isNextSound().catch(() => false))) {
    edge.log.error("the next edge would not start; this one has not handed over");
    isSteppingBack = false;
    return;
  }
  if (isStopping) return;
  edge.log.info("handing over");
  setTimeout(() => edge.log.error("no other edge takes over; this one stays"), nextMs).unref();
  await edge.stepBack().catch((error: unknown) => {
    edge.log.error({ err: error }, "not everything was left to the next edge in order");
  });
  // If the supervisor has gone, a message to it would end this edge before its last report.
  if (!isStopping) process.send({ kind: "hand-over" });
}

function isOf(kind: string, message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && "kind" in message && message.kind === kind
  );
}

process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
// For an upgrade: players stay, and the next edge takes over.
process.on("SIGUSR2", () => void handOver());
process.on("message", (message) => {
  if (isOf("leave", message)) stop("the next edge takes players", 0, () => edge.leave());
  else if (isOf("alone", message)) void edge.becomeAlone();
});
process.on("SIGHUP", () => edge.reload());
// Started by the supervisor: this edge ends with it.
process.on("disconnect", () => stop("supervisor gone"));

try {
  checkLayouts();
  const facts = await edge.start();
  process.send?.({ kind: "ready", ...facts });
} catch (error) {
  const reason = error instanceof Error ? error.message : "the edge cannot start";
  edge.log.fatal({ err: error }, reason);
  stop("cannot start", 1);
}
