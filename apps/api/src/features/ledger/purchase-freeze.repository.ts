import type { Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export function selectActiveFreeze(db: Executor) {
  return db
    .selectFrom("purchase_freezes")
    .select(["id", "reason", "frozen_at"])
    .where("lifted_at", "is", null)
    .executeTakeFirst();
}

/** @returns false if purchases were frozen already */
export async function insertFreeze(
  trx: Executor,
  freeze: Insertable<Database["purchase_freezes"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("purchase_freezes")
    .values(freeze)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** @returns false if nothing was frozen */
export async function endFreeze(
  trx: Trx,
  lift: { readonly by: string; readonly at: Date; readonly reason: string },
): Promise<boolean> {
  const result = await trx
    .updateTable("purchase_freezes")
    .set({ lifted_by: lift.by, lifted_at: lift.at, lift_reason: lift.reason })
    .where("lifted_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
