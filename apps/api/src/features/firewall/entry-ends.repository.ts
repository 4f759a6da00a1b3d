import { sql } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { ShieldStatus } from "#src/schema/shields.ts";

const tables = ["firewall_entries", "firewall_names"] as const;

/** The shield whose next entry has been due for the longest; undefined if none is. */
export async function selectDue(
  db: Db,
  now: Date,
  but: readonly string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom("shield_firewalls")
    .select("shield_id")
    .where("next_end_at", "<=", now)
    .where(sql<boolean>`shield_id <> all (${but}::uuid[])`)
    .orderBy("next_end_at")
    .limit(1)
    .executeTakeFirst();
  return row?.shield_id;
}

/** Holds the shield as every change of it does, whatever its status is. */
export async function lockToEnd(trx: Trx, shieldId: string): Promise<ShieldStatus | undefined> {
  const row = await trx
    .selectFrom("shields")
    .select("status")
    .where("id", "=", shieldId)
    .forUpdate()
    .executeTakeFirst();
  return row?.status;
}

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
