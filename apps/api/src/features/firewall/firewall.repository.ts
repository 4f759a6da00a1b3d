import { sql, type Insertable, type Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";
import type { ListType } from "#src/schema/shields.ts";

export function selectSwitches(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_firewalls")
    .select([
      "blacklist_enabled",
      "whitelist_enabled",
      "whitelist_only",
      "blacklist_changed_at",
      "whitelist_changed_at",
      "whitelist_only_changed_at",
      "version",
    ])
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
  changes: Omit<Updateable<Database["shield_firewalls"]>, "shield_id" | "version">,
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

/** Newest first. */
export function selectList(db: Executor, shieldId: string, list: ListType) {
  return db
    .selectFrom("firewall_entries")
    .select(["id", "address", "created_at"])
    .where("shield_id", "=", shieldId)
    .where("list", "=", list)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Whether an entry of the list is the address or holds it. */
export async function listHolds(
  db: Executor,
  shieldId: string,
  { list, address }: { readonly list: ListType; readonly address: string },
): Promise<boolean> {
  const row = await db
    .selectFrom("firewall_entries")
    .select("id")
    .where("shield_id", "=", shieldId)
    .where("list", "=", list)
    .where(sql<boolean>`address::inet >>= ${address}::inet`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds what the list does not have yet, in one statement. @returns how many that were */
export async function insertEntries(
  trx: Trx,
  shieldId: string,
  list: ListType,
  rows: {
    readonly ids: readonly string[];
    readonly addresses: readonly string[];
    readonly now: Date;
  },
): Promise<number> {
  const result = await sql`
    insert into firewall_entries (id, shield_id, list, address, created_at)
    select id, ${shieldId}::uuid, ${list}, address, ${rows.now}
    from unnest(${rows.ids}::uuid[], ${rows.addresses}::text[]) as given (id, address)
    on conflict (shield_id, list, address) do nothing
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Empties the list but for these addresses. @returns how many went */
export async function deleteEntriesBut(
  trx: Trx,
  shieldId: string,
  list: ListType,
  kept: readonly string[],
): Promise<number> {
  const result = await sql`
    delete from firewall_entries
    where shield_id = ${shieldId} and list = ${list}
      and address not in (select unnest(${kept}::text[]))
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}
