import { spawn } from "node:child_process";
import { once } from "node:events";
import { checkLayouts } from "@palisade/sockets/check-layouts";
import { composeEdge } from "./compose.ts";
import { readConfig } from "./config.ts";
import { commandMessage, successorRequests } from "./hot-restart/command-messages.ts";
import { HotRestart } from "./hot-restart/hot-restart.ts";

/** A stop that takes longer counts as hung. */
const stopMs = 8_000;

/** The successor must be checked within this time, or it does not start. */
const checkMs = 60_000;

const checkFlag = "--check";

const config = readConfig();
const edge = composeEdge(config);
if (process.argv.includes(checkFlag)) process.exit();
let isStopping = false;

function stop(reason: string, exitCode = 0, work = () => edge.stop()): void {
  if (isStopping) return;
  isStopping = true;
  hotRestart.stop();
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
async function isSuccessorSound(): Promise<boolean> {
  const [, program = ""] = process.argv;
  const check = spawn(process.execPath, [...process.execArgv, program, checkFlag], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: checkMs,
  });
  const [exitCode] = await once(check, "exit");
  return exitCode === 0;
}

// If the command has gone, a message to it would end this edge before its last report.
function askForSuccessor(): void {
  for (const request of successorRequests) process.send?.(request);
}

const hasCommand = process.send !== undefined;
const hotRestart = new HotRestart(
  {
    isSuccessorSound,
    becomePredecessor: () => edge.becomePredecessor(),
    askForSuccessor: hasCommand && edge.canHaveSuccessor ? askForSuccessor : undefined,
    drain(hasSuccessor) {
      const reason = hasSuccessor ? "the next edge takes players" : "SIGUSR2";
      stop(reason, 0, () => edge.drain(hasSuccessor));
    },
    takeOver: () => edge.takeOver(),
  },
  config.isSuccessor,
  edge.log,
);

process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
// For an upgrade: players stay, and the next edge takes over.
process.on("SIGUSR2", () => void hotRestart.request());
process.on("message", (message) => {
  const kind = commandMessage(message);
  if (kind === "drain") hotRestart.drain();
  else if (kind === "takeover") void hotRestart.takeOver();
});
process.on("SIGHUP", () => edge.reload());
// Started by the supervisor: this edge ends with it.
process.on("disconnect", () => stop("supervisor gone"));

try {
  checkLayouts();
  const facts = await edge.start();
  process.send?.({ kind: "ready", ...facts });
  // Some 8 MB were needed for the start alone. Threads that take players are not held up.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
} catch (error) {
  const reason = error instanceof Error ? error.message : "the edge cannot start";
  edge.log.fatal({ err: error }, reason);
  stop("cannot start", 1);
}
