import type { ApiConfig } from "#src/config.ts";
import { readApiConfig } from "#src/config.ts";
import { openAuditLog } from "#src/features/audit/audit.service.ts";
import { systemClock, type Clock } from "#src/platform/clock/clock.ts";
import { readDevelopmentClock } from "#src/platform/clock/development-clock.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { requireHarmlessRole, waitForDatabase } from "#src/platform/database/ready.ts";

/** One command of `npm run palisade -- <name>`. */
export interface Command {
  /** Words that select it, e.g. `staff add`. */
  readonly name: string;
  /** The arguments after the name. */
  readonly usage: string;
  readonly summary: string;
  /** Prints its result on stdout. Throw a CommandError for what the operator got wrong. */
  run(args: readonly string[]): Promise<void>;
}

/** A failure the operator can act on: shown as one line, exit code 1 (or 2 for wrong usage). */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs `work` on the database as the runtime role, by the clock the api goes by. */
export async function withDatabase<T>(
  work: (db: Db, config: ApiConfig, clock: Clock, audit: AuditLog) => Promise<T>,
): Promise<T> {
  const config = readApiConfig();
  const db = createDb({
    url: config.databaseUrl,
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
    onConnectionError: () => undefined,
  });
  try {
    await waitForDatabase(db);
    await requireHarmlessRole(db);
    const clock = config.development ? await readDevelopmentClock(db) : systemClock;
    return await work(db, config, clock, openAuditLog(db, config));
  } finally {
    await db.destroy();
  }
}
