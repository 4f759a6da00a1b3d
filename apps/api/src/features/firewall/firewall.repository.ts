import { sql, type Insertable, type Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";
import type { ListType } from "#src/schema/shields.ts";

export function selectSwitches(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_firewalls")
    .select(["blacklist_enabled", "whitelist_enabled", "whitelist_only", "version"])
    .where("shield_id", "=", shieldId)
    .executeTakeFirstOrThrow();
}

/** Newest first. */
export function selectEntries(db: Executor, shieldId: string) {
  return db
    .selectFrom("firewall_entries")
    .select(["id", "list", "address", "created_at"])
    .where("shield_id", "=", shieldId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Changes switches, if any, and counts the change. */
export async function updateSwitches(
  trx: Trx,
  shieldId: string,
  changes: Pick<
    Updateable<Database["shield_firewalls"]>,
    "blacklist_enabled" | "whitelist_enabled" | "whitelist_only"
  >,
): Promise<number> {
  const row = await trx
    .updateTable("shield_firewalls")
    .set({ ...changes, version: sql<number>`version + 1` })
    .where("shield_id", "=", shieldId)
    .returning("version")
    .executeTakeFirstOrThrow();
  return row.version;
}

export async function countEntries(trx: Trx, shieldId: string, list: ListType): Promise<number> {
  const row = await trx
    .selectFrom("firewall_entries")
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .where("shield_id", "=", shieldId)
    .where("list", "=", list)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** False where the list has the address already. */
export async function insertEntry(
  trx: Trx,
  row: Insertable<Database["firewall_entries"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("firewall_entries")
    .values(row)
    .onConflict((conflict) => conflict.columns(["shield_id", "list", "address"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The address removed; undefined where the shield has no such entry. */
export async function deleteEntry(
  trx: Trx,
  shieldId: string,
  entryId: string,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom("firewall_entries")
    .where("shield_id", "=", shieldId)
    .where("id", "=", entryId)
    .returning("address")
    .executeTakeFirst();
  return row?.address;
}
