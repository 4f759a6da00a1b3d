import type { Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** @returns false where the provider sent this event before */
export async function insertEvent(
  trx: Trx,
  event: Insertable<Database["provider_events"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("provider_events")
    .values(event)
    .onConflict((conflict) => conflict.columns(["provider", "event_id"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function selectUnworkedEvent(db: Executor, id: string) {
  return db
    .selectFrom("provider_events")
    .select(["provider", "reference", "type"])
    .where("id", "=", id)
    .where("worked_at", "is", null)
    .executeTakeFirst();
}

export async function markEventWorked(db: Executor, id: string, at: Date): Promise<void> {
  await db
    .updateTable("provider_events")
    .set({ worked_at: at })
    .where("id", "=", id)
    .where("worked_at", "is", null)
    .execute();
}
