import { forgetPortOwners } from "#src/features/bedrock/bedrock-ports.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import {
  deleteRows,
  emptyConfigs,
  forgetSnapshots,
  settingsTables,
} from "./shield-life.repository.ts";

/**
 * Deletes everything that owners and members of deleted shields entered. Ledger and statistics keep
 * their ids, and their labels are never given out again.
 */
export async function emptyShields(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await forgetPortOwners(trx, ids);
  await deleteRows(trx, settingsTables, ids);
  await emptyConfigs(trx, ids);
  await forgetSnapshots(trx, ids);
}
