import type { Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export async function insertSubscription(
  trx: Trx,
  row: Insertable<Database["subscriptions"]>,
): Promise<void> {
  await trx.insertInto("subscriptions").values(row).execute();
}

export function selectSubscription(db: Executor, shieldId: string) {
  return db
    .selectFrom("subscriptions")
    .select(["period_ends_at", "price_cents"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirst();
}
