import { Kysely, PostgresDialect, type Transaction } from "kysely";
import type { Database } from "#src/schema/database.ts";
import { createPool, type PoolOptions } from "./pool.ts";

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
/** A query runs on the pool or inside a transaction alike. */
export type Executor = Db | Trx;

export type DatabaseOptions = Omit<PoolOptions, "name">;

export function createDb(options: DatabaseOptions): Db {
  const pool = createPool({ ...options, name: "palisade-api" });
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
