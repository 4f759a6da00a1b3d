import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { readConfig, type SupervisorConfig } from "./config.ts";
import { openPartDatabase } from "./part-database.ts";
import { checkout, mainFiles, nodeArgs } from "./programs.ts";
import { createProgress, StartError } from "./progress.ts";
import { isHandOver } from "./ready-messages.ts";
import { readRunFile } from "./run-files.ts";
import { explain, onStopRequest } from "./stop-request.ts";
import { createUndoStack } from "./undo-stack.ts";

/**
 * One program alone, in front: `run-part.ts <api|edge|dns|cli> [arguments]`. Its output is the
 * program's; our own lines go to standard error.
 */

type Part = keyof typeof mainFiles;

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
  for (;;) {
    const { child, hasHandedOver } = await live(part, args, env);
    if (hasHandedOver && !stack.signal.aborted) continue;
    return child.exitCode ?? 128 + (constants.signals[child.signalCode ?? "SIGKILL"] ?? 0);
  }
}

/** From the program's start to its end. */
async function live(part: Part, args: readonly string[], env: NodeJS.ProcessEnv) {
  const isEdge = part === "edge";
  const all = isEdge ? [...args, "--lifeline"] : args;
  const child = spawn(process.execPath, [...nodeArgs[part], mainFiles[part], ...all], {
    // The terminal's Ctrl-C reaches our whole group; the program hears of it from us, once.
    detached: true,
    // What an edge starts and outlives it ends with us at the latest: descriptor 4 tells.
    stdio: ["inherit", "inherit", "inherit", "ipc", isEdge ? "pipe" : "ignore"],
    env,
  });
  // Kept open until we end: relay processes of every life hold on to it.
  child.stdio[4]?.on("error", () => undefined);
  let hasHandedOver = false;
  child.on("message", (message) => {
    if (isHandOver(message)) {
      hasHandedOver = true;
      // One at a time here: the next is started once this one has left.
      child.send({ kind: "leave" });
    } else progress.say(`${part} ready: ${JSON.stringify(message)}`);
  });
  const ended = once(child, "exit");
  await stack.add(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await ended;
  return { child, hasHandedOver };
}

onStopRequest(() => {
  void stack.undo();
});
try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
await stack.undo();
process.exit();
