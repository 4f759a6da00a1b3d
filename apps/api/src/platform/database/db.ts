import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Database } from "#src/schema/database.ts";

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
/** A query runs on the pool or inside a transaction alike. */
export type Executor = Db | Trx;

export interface DatabaseOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  /** An idle connection was lost; the pool replaces it at the next query. */
  readonly onConnectionError: (error: Error) => void;
}

/** A pool whose every wait has an end: for a connection, a lock, a statement and an idle transaction. */
export function createDb(options: DatabaseOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: "palisade-api",
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: Math.ceil(options.statementTimeoutMs / 2),
    idle_in_transaction_session_timeout: options.statementTimeoutMs * 2,
    keepAlive: true,
  });
  pool.on("error", options.onConnectionError);
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
