import type { Insertable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export async function insertQuote(
  trx: Trx,
  row: Insertable<Database["plan_change_quotes"]>,
): Promise<void> {
  await trx.insertInto("plan_change_quotes").values(row).execute();
}

/** A quote that was made for this user. */
export function selectQuote(db: Executor, userId: string, id: string) {
  return db
    .selectFrom("plan_change_quotes")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function deleteQuotes(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("plan_change_quotes").where("expires_at", "<", expiredBefore).execute();
}
