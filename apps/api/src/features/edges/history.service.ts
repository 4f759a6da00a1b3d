import { sql } from "kysely";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { renewCookieKeys } from "#src/features/shields/cookie-keys.service.ts";
import { configChannel } from "#src/features/shields/shield-writes.service.ts";

/**
 * Says that the database was restored from a backup: its versions count in another history from
 * here on. Every node takes a snapshot, whatever version it has of the history before. Keys that
 * were renewed since the backup do not come back.
 */
export async function beginHistory({ bus }: { readonly bus: Bus }, trx: Trx): Promise<void> {
  await trx
    .updateTable("config_head")
    .set({ epoch: sql<string>`gen_random_uuid()` })
    .execute();
  await renewCookieKeys(undefined, trx, null);
  await bus.notify(trx, configChannel, "");
}
