import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { superviseChild } from "./child.ts";
import { readConfig, type SupervisorConfig } from "./config.ts";
import { openPartDatabase } from "./part-database.ts";
import { checkout, mainFiles, nodeArgs } from "./programs.ts";
import { createProgress, StartError } from "./progress.ts";
import { isHandOver, parseEdgeReady, portOf, type EdgeReady } from "./ready-messages.ts";
import { readRunFile } from "./run-files.ts";
import { explain, onStopRequest } from "./stop-request.ts";
import { createUndoStack } from "./undo-stack.ts";

/**
 * One program alone, in front: `run-part.ts <api|edge|dns|cli> [arguments]`. Its output is the
 * program's; our own lines go to standard error.
 */

type Part = keyof typeof mainFiles;

/** An edge with very many shields takes its time. */
const edgeReadyCapMs = 300_000;

let handOver: (() => boolean) | undefined;

const progress = createProgress((text) => process.stderr.write(text));
const stack = createUndoStack((error) => progress.say(`while stopping: ${String(error)}`));

function parsePart(name: string | undefined): Part {
  for (const part of ["api", "cli", "edge", "dns"] as const) if (part === name) return part;
  throw new StartError("usage: run-part.ts <api | edge | dns | cli> [arguments]");
}

async function partEnvironment(
  part: Part,
  args: readonly string[],
  config: SupervisorConfig,
): Promise<NodeJS.ProcessEnv> {
  const base = { ...config.environment, PALISADE_HOME: config.home };
  if (part === "edge" || part === "dns") {
    const lastApi = await readRunFile(config.home, "api");
    return { ...base, PALISADE_API_URL: config.apiUrl ?? lastApi?.url };
  }
  if (config.database !== undefined) return base;
  const { ownerUrl, runtimeUrl } = await openPartDatabase(
    config,
    { program: `npm run ${part === "cli" ? `palisade -- ${args[0] ?? ""}` : part}`, part, args },
    progress,
    stack,
  );
  // Only commands migrate; the api has no business with the owner.
  const DATABASE_MIGRATE_URL = part === "cli" ? ownerUrl : undefined;
  return { ...base, DATABASE_URL: runtimeUrl, DATABASE_MIGRATE_URL };
}

async function run(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  const part = parsePart(name);
  const env = await partEnvironment(part, args, readConfig(process.env, checkout));
  return part === "edge" ? keepEdge(args, env) : live(part, args, env);
}

/** An edge that dies is started again: its relay processes, and players, live as long as we do. */
async function keepEdge(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const edge = superviseChild<EdgeReady>({
    program: "edge",
    args: [...nodeArgs.edge, mainFiles.edge, ...args],
    environment: (last) =>
      last === undefined
        ? env
        : {
            ...env,
            PALISADE_JAVA_PORT: String(portOf(last.java)),
            PALISADE_EDGE_METRICS_PORT: String(portOf(last.metrics)),
          },
    parseReady: parseEdgeReady,
    onReady: (facts) => progress.say(`edge ready: ${JSON.stringify(facts)}`),
    isHandOver,
    lifeline: true,
    firstTries: 1,
    readyCapMs: edgeReadyCapMs,
    log: { descriptor: "inherit", path: "", tail: () => "", write: (line) => progress.say(line) },
    progress,
  });
  await stack.add(edge.stop);
  try {
    await edge.ready;
  } catch (error) {
    if (!stack.signal.aborted) throw error;
  }
  handOver = edge.handOver;
  if (!stack.signal.aborted) await once(stack.signal, "abort");
  return 0;
}

/** From the program's start to its end. */
async function live(part: Part, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [...nodeArgs[part], mainFiles[part], ...args], {
    // The terminal's Ctrl-C reaches our whole group; the program hears of it from us, once.
    detached: true,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env,
  });
  child.on("message", (message) => progress.say(`${part} ready: ${JSON.stringify(message)}`));
  const ended = once(child, "exit");
  await stack.add(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await ended;
  return child.exitCode ?? 128 + (constants.signals[child.signalCode ?? "SIGKILL"] ?? 0);
}

onStopRequest(() => {
  void stack.undo();
});
// For an upgrade of an edge.
process.on("SIGUSR2", () => {
  if (handOver?.() !== true) progress.say("no edge can hand over now");
});
try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
await stack.undo();
process.exit();
