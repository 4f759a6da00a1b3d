import { setTimeout as delay } from "node:timers/promises";
import { createApiCommand } from "./api-command.ts";
import type { SupervisorConfig } from "./config.ts";
import { runDatabase } from "./database.ts";
import { HomeInUseError, lockHome, type HomeLock } from "./home-lock.ts";
import { openLogFile } from "./log-file.ts";
import type { Progress } from "./progress.ts";
import { readRunFile } from "./run-files.ts";
import type { UndoStack } from "./undo-stack.ts";

interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
}

interface Purpose {
  /** The command as the operator typed it, shown to other processes that find the home in use. */
  readonly program: string;
  readonly kind: "api" | "cli";
  readonly args: readonly string[];
}

const URLS_CAP_MS = 30_000;

/**
 * The embedded database of the home. If none runs, starts it for as long as this process runs and
 * migrates it.
 */
export async function openProgramDatabase(
  { home, environment }: SupervisorConfig,
  purpose: Purpose,
  progress: Progress,
  stack: UndoStack,
): Promise<DatabaseUrls> {
  const lock = await tryLockHome(home, purpose);
  if (lock === undefined) return urlsOfRunning(home);
  await stack.add(lock.release);
  const log = openLogFile(home, "postgres");
  await stack.add(async () => log.close());
  const database = await runDatabase(home, log, progress);
  await stack.add(database.stop);
  if (purpose.args[0] !== "migrate") {
    const commandEnvironment = {
      ...environment,
      PALISADE_HOME: home,
      DATABASE_URL: database.runtimeUrl,
      DATABASE_MIGRATE_URL: database.ownerUrl,
    };
    const commandLog = openLogFile(home, "commands");
    await createApiCommand(commandEnvironment, commandLog, stack.signal)(["migrate"]);
    commandLog.close();
  }
  return database;
}

async function tryLockHome(home: string, purpose: Purpose): Promise<HomeLock | undefined> {
  try {
    return await lockHome(home, { program: purpose.program, endsSoon: purpose.kind === "cli" });
  } catch (error) {
    if (error instanceof HomeInUseError) return undefined;
    throw error;
  }
}

/** The process that holds the home writes them as soon as its database runs. */
async function urlsOfRunning(home: string): Promise<DatabaseUrls> {
  const deadline = Date.now() + URLS_CAP_MS;
  for (;;) {
    const urls = await readRunFile(home, "database");
    if (urls !== undefined) return urls;
    if (Date.now() > deadline) {
      throw new Error(`${home} is in use, but its embedded database does not start`);
    }
    await delay(50);
  }
}
