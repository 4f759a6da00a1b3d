import type { Bus } from "#src/platform/database/bus.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { renewCookieKeys } from "./cookie-keys.service.ts";
import { renewEpoch } from "./config-stream.repository.ts";
import { configChannel } from "./shield-writes.service.ts";

/**
 * Call it after the database was restored from a backup: from then on its versions belong to a new
 * history, and every node takes a snapshot whatever version it has. Cookie keys that were renewed
 * after the backup do not return.
 */
export async function beginHistory({ bus }: { readonly bus: Bus }, trx: Trx): Promise<void> {
  await renewEpoch(trx);
  await renewCookieKeys(undefined, trx, null);
  await bus.notify(trx, configChannel, "");
}
