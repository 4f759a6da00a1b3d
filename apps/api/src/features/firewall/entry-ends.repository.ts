import type { Trx } from "#src/platform/database/db.ts";

const tables = ["firewall_entries", "firewall_names"] as const;

/** Marks entries whose end has passed. @returns how many those were */
export async function markEnded(trx: Trx, shieldId: string, now: Date): Promise<number> {
  let marked = 0;
  for (const table of tables) {
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ ended: true })
      .where("shield_id", "=", shieldId)
      .where("ended", "=", false)
      .where("expires_at", "<=", now)
      .executeTakeFirstOrThrow();
    marked += Number(numUpdatedRows);
  }
  return marked;
}

/** Removes entries that ended before then. */
export async function deleteEndedBefore(trx: Trx, shieldId: string, before: Date): Promise<void> {
  for (const table of tables) {
    await trx
      .deleteFrom(table)
      .where("shield_id", "=", shieldId)
      .where("ended", "=", true)
      .where("expires_at", "<=", before)
      .execute();
  }
}
