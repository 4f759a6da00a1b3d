import pg from "pg";

export interface PoolOptions {
  readonly url: string;
  readonly name: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  /** A connection was lost; the pool replaces it at the next query. */
  readonly onConnectionError: (error: Error) => void;
}

/** A pool whose every wait has an end: for a connection, a lock, a statement and an idle transaction. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: Math.ceil(options.statementTimeoutMs / 2),
    idle_in_transaction_session_timeout: options.statementTimeoutMs * 2,
    keepAlive: true,
  });
  pool.on("error", options.onConnectionError);
  // The pool listens to idle connections only. One that is lost between two statements of a
  // transaction would emit an 'error' without a listener, which ends the process; its next statement
  // fails anyway.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
