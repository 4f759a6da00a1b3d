import { sql } from "kysely";
import type { Trx } from "./db.ts";

/** Runs `work` within `trx`; where it throws, only its own changes are undone. Not for two at once. */
export async function withSavepoint<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(trx);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(trx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(trx);
    throw error;
  }
}
