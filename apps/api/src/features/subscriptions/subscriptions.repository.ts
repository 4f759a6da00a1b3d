import type { Insertable } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export async function insertSubscription(
  trx: Trx,
  row: Insertable<Database["subscriptions"]>,
): Promise<void> {
  await trx.insertInto("subscriptions").values(row).execute();
}
