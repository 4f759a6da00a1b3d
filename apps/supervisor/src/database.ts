import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "@palisade/embedded-postgres/launcher";
import { createBackoff } from "./backoff.ts";
import type { LogFile } from "./log-file.ts";
import type { Progress } from "./progress.ts";
import { removeRunFile, writeRunFile } from "./run-files.ts";

export interface RunningDatabase {
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
  readonly stop: () => Promise<void>;
}

/**
 * Runs the embedded PostgreSQL of a home and restarts it when it ends. Its URLs stay the same, so
 * the programs only have to connect again. The caller holds the lock on the home.
 */
export async function runDatabase(
  home: string,
  log: LogFile,
  progress: Progress,
): Promise<RunningDatabase> {
  const root = path.join(home, "postgres");
  const stopping = new AbortController();
  const { signal } = stopping;

  async function start(): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ root, log: log.write });
    const { ownerUrl, runtimeUrl, pid } = postgres;
    await writeRunFile(home, "database", { ownerUrl, runtimeUrl, pid });
    return postgres;
  }

  let postgres = await start();

  async function keepRunning(): Promise<void> {
    const backoff = createBackoff();
    for (;;) {
      const startedAt = performance.now();
      await postgres.exited;
      if (signal.aborted) return;
      progress.say("PostgreSQL ended, starting it again");
      await delay(backoff.next(performance.now() - startedAt), undefined, { signal });
      try {
        postgres = await start();
        progress.say("PostgreSQL is back");
      } catch (error) {
        log.write(String(error));
      }
    }
  }

  const keeper = keepRunning().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    ownerUrl: postgres.ownerUrl,
    runtimeUrl: postgres.runtimeUrl,
    stop: async () => {
      stopping.abort();
      // A restart under way ends first, so that no server is left running.
      await postgres.stop();
      await keeper;
      await postgres.stop();
      await removeRunFile(home, "database");
    },
  };
}
