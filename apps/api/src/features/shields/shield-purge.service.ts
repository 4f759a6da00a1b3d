import type { Trx } from "#src/platform/database/db.ts";
import { deleteRows, emptyConfigs, settingsTables } from "./shield-life.repository.ts";

/**
 * Of deleted shields: everything their people wrote. Books and figures go on naming their ids,
 * and a label that was theirs is never given out again.
 */
export async function emptyShields(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await deleteRows(trx, settingsTables, ids);
  await emptyConfigs(trx, ids);
}
