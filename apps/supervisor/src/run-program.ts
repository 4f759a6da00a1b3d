import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { superviseChild } from "./child.ts";
import { readConfig, type SupervisorConfig } from "./config.ts";
import { openProgramDatabase } from "./program-database.ts";
import { checkout, mainFiles, nodeArgs } from "./programs.ts";
import { createProgress, StartError } from "./progress.ts";
import { isHotRestart, parseEdgeReady, portOf, type EdgeReady } from "./ready-messages.ts";
import { readRunFile } from "./run-files.ts";
import { explain, onStopRequest } from "./stop-request.ts";
import { createUndoStack } from "./undo-stack.ts";

/**
 * Runs one program alone in the foreground: `run-program.ts <api|edge|dns|cli> [arguments]`. Standard
 * output is the program's; our own lines go to standard error.
 */

type ProgramName = keyof typeof mainFiles;

/** An edge with very many shields starts slowly. */
const edgeReadyCapMs = 300_000;

let requestHotRestart: (() => boolean) | undefined;

const progress = createProgress((text) => process.stderr.write(text));
const stack = createUndoStack((error) => progress.say(`error while stopping: ${String(error)}`));

function parseName(given: string | undefined): ProgramName {
  for (const name of ["api", "cli", "edge", "dns"] as const) if (name === given) return name;
  throw new StartError("usage: run-program.ts <api | edge | dns | cli> [arguments]");
}

async function environmentOf(
  name: ProgramName,
  args: readonly string[],
  config: SupervisorConfig,
): Promise<NodeJS.ProcessEnv> {
  const base = { ...config.environment, PALISADE_HOME: config.home };
  if (name === "edge" || name === "dns") {
    const lastApi = await readRunFile(config.home, "api");
    return { ...base, PALISADE_API_URL: config.apiUrl ?? lastApi?.url };
  }
  if (config.database !== undefined) return base;
  const { ownerUrl, runtimeUrl } = await openProgramDatabase(
    config,
    {
      program: `npm run ${name === "cli" ? `palisade -- ${args[0] ?? ""}` : name}`,
      kind: name,
      args,
    },
    progress,
    stack,
  );
  // Only commands migrate; the api must not connect as the owner.
  const DATABASE_MIGRATE_URL = name === "cli" ? ownerUrl : undefined;
  return { ...base, DATABASE_URL: runtimeUrl, DATABASE_MIGRATE_URL };
}

async function run(): Promise<number> {
  const [given, ...args] = process.argv.slice(2);
  const name = parseName(given);
  const env = await environmentOf(name, args, readConfig(process.env, checkout));
  return name === "edge" ? superviseEdge(args, env) : runOnce(name, args, env);
}

/** Restarts an edge that ends. Its relay processes, and so its players, live as long as this process. */
async function superviseEdge(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
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
    isHotRestart: isHotRestart,
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
  ({ requestHotRestart } = edge);
  if (!stack.signal.aborted) await once(stack.signal, "abort");
  return 0;
}

/** Runs a program to its end. @returns its exit code */
async function runOnce(
  name: ProgramName,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(process.execPath, [...nodeArgs[name], mainFiles[name], ...args], {
    // Ctrl-C in the terminal reaches our whole process group; the program gets one signal, from us.
    detached: true,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env,
  });
  child.on("message", (message) => progress.say(`${name} ready: ${JSON.stringify(message)}`));
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
// For an upgrade of the edge.
process.on("SIGUSR2", () => {
  if (requestHotRestart?.() !== true) progress.say("the edge cannot do a hot restart now");
});
try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
await stack.undo();
process.exit();
