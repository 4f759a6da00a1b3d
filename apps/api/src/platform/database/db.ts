import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from "kysely";
import type pg from "pg";
import type { Database } from "#src/schema/database.ts";
import { isCopy, runCopy } from "./copy-statements.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import { statementName } from "./statement-names.ts";

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
/** A query runs on the pool or inside a transaction alike. */
export type Executor = Db | Trx;

export type DatabaseOptions = Omit<PoolOptions, "name">;

export function createDb(options: DatabaseOptions): Db {
  const pool = createPool({ ...options, name: "palisade-api" });
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
}

/** As kysely wants it; statements of `prepared` go out by their name. */
function preparing(pool: pg.Pool): PostgresPool {
  // Kysely knows a connection by its client.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let known = clients.get(client);
      if (known === undefined) {
        known = preparingClient(client);
        clients.set(client, known);
      }
      return known;
    },
  };
}

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) => {
    if (isCopy(text)) return runCopy(client, text, values[0]);
    const name = statementName(text);
    return name === undefined
      ? client.query(text, [...values])
      : client.query({ name, text, values: [...values] });
  };
  return {
    // Its other form is for cursors, which kysely uses only where it was given a class for them.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
