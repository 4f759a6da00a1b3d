import type { Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** @returns false if the provider sent this event before */
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

export function selectUnprocessedEvent(db: Executor, id: string) {
  return db
    .selectFrom("provider_events")
    .select(["provider", "reference", "type"])
    .where("id", "=", id)
    .where("worked_at", "is", null)
    .executeTakeFirst();
}

/** Events that are still not processed: their job gave up or was lost with its queue. */
export function selectDueEvents(db: Executor, now: Date, max: number) {
  return db
    .selectFrom("provider_events")
    .select(["id", "tries"])
    .where("worked_at", "is", null)
    .where("next_try_at", "<=", now)
    .orderBy("next_try_at")
    .limit(max)
    .execute();
}

export async function postponeEvent(
  db: Executor,
  id: string,
  { tries, nextAt }: { readonly tries: number; readonly nextAt: Date },
): Promise<void> {
  await db
    .updateTable("provider_events")
    .set({ tries, next_try_at: nextAt })
    .where("id", "=", id)
    .execute();
}

export async function markEventProcessed(db: Executor, id: string, at: Date): Promise<void> {
  await db
    .updateTable("provider_events")
    .set({ worked_at: at })
    .where("id", "=", id)
    .where("worked_at", "is", null)
    .execute();
}

/** @returns how many were emptied, at most `max` */
export async function emptyBodies(db: Executor, workedBefore: Date, max: number): Promise<number> {
  const result = await db
    .updateTable("provider_events")
    .set({ body: "" })
    .where("id", "in", (events) =>
      events
        .selectFrom("provider_events")
        .select("id")
        .where("body", "!=", "")
        .where("worked_at", "<", workedBefore)
        .limit(max),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
