import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { seed } from "../../../seeds/seed.ts";
import { installJobSchema, jobSchema } from "#src/platform/database/job-schema.ts";
import type { Database } from "#src/schema/database.ts";
import type { Executor } from "./db.ts";
import { finishIndexes } from "./finish-indexes.ts";
import { grantRuntimeRole } from "./grants.ts";
import { createPool } from "./pool.ts";

export interface MigrateOptions {
  readonly ownerUrl: string;
  /** Only its user is read: the role that gets the grants. */
  readonly runtimeUrl: string;
  readonly log: (line: string) => void;
}

const migrationsFolder = path.resolve(import.meta.dirname, "../../../migrations");
/** A migration may rewrite a large table; half of it may go by waiting for a lock. */
const statementTimeoutMs = 1_800_000;
const lockId = 7_262_391;
const turnPauseMs = 250;

/**
 * Brings a database to the newest schema as its owner, fills in the seeds and gives the runtime
 * role its rights. May run again at any time and from several machines at once.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const pool = createPool({
    url: options.ownerUrl,
    name: "palisade-migrate",
    connectionsMax: 4,
    statementTimeoutMs,
    onConnectionError: (error) => options.log(`connection lost: ${error.message}`),
  });
  const owner = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await owner.connection().execute(async (connection) => {
      // The migrator locks for itself only; grants and the job schema need the same turn-taking.
      await waitForTurn(connection);
      try {
        await runMigrations(owner, options.log);
        await installJobSchema(pool);
        await owner.transaction().execute(seed);
        // At once: a running api must not see its rights gone in between.
        await owner
          .transaction()
          .execute((trx) => grantRuntimeRole(trx, runtimeRole(options.runtimeUrl), jobSchema));
        // Last: it may take hours, and an api works without these indexes.
        await finishIndexes(connection, options.log);
      } finally {
        await sql`select pg_advisory_unlock(${lockId})`.execute(connection);
      }
    });
  } finally {
    await owner.destroy();
  }
}

/**
 * Asks again and again: a statement that waits for the lock is a transaction, and the process that has
 * the lock waits for the end of all transactions while it builds an index.
 */
async function waitForTurn(connection: Executor): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${lockId}) as taken
    `.execute(connection);
    if (rows[0]?.taken === true) return;
    await pause(turnPauseMs);
  }
}

/**
 * Each in a transaction of its own: the locks of a quick one are not held while a later one copies rows.
 * Nothing uses a new database yet, and all at once take a fraction of the time.
 */
async function runMigrations(owner: Kysely<Database>, log: (line: string) => void): Promise<void> {
  const migrator = new Migrator({
    db: owner,
    provider: { getMigrations: loadMigrations },
  });
  const known = await migrator.getMigrations();
  const isNew = known.every(({ executedAt }) => executedAt === undefined);
  for (;;) {
    const { error, results = [] } = isNew
      ? await migrator.migrateToLatest()
      : await migrator.migrateUp();
    for (const result of results) log(`migration ${result.migrationName}: ${result.status}`);
    if (error !== undefined) throw error;
    if (isNew || results.length === 0) return;
  }
}

/** The files of migrations/ by name; each exports `up`. */
async function loadMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(migrationsFolder)).filter((name) => /^\d{4}-[\w-]+\.ts$/.test(name));
  const migrations: Record<string, Migration> = {};
  for (const file of files) {
    const loaded: object = await import(pathToFileURL(path.join(migrationsFolder, file)).href);
    if (!("up" in loaded)) throw new Error(`migrations/${file} exports no up`);
    // A file of this repository, checked for its one entry point.
    migrations[file.replace(/\.ts$/, "")] = loaded as Migration;
  }
  return migrations;
}

function runtimeRole(runtimeUrl: string): string {
  const role = decodeURIComponent(new URL(runtimeUrl).username);
  if (role === "") throw new Error("DATABASE_URL names no user, so there is no role to grant to");
  return role;
}
