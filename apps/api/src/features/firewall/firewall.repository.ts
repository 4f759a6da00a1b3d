import type { EntryKind } from "@palisade/contract/http/firewall";
import { sql, type Updateable } from "kysely";
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

export interface EntryRow {
  readonly id: string;
  readonly list: ListType;
  readonly kind: EntryKind;
  /** The address, range or name. */
  readonly value: string;
  readonly created_at: Date;
}

/** The tables of entries; `key` tells whether two are the same. */
const stores = {
  address: { table: sql.table("firewall_entries"), value: sql.ref("address"), key: sql`address` },
  name: { table: sql.table("firewall_names"), value: sql.ref("name"), key: sql`lower(name)` },
};

/** Newest first; of one list or both. */
export async function selectEntries(
  db: Executor,
  shieldId: string,
  list: ListType | null = null,
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select id, list, 'address' as kind, address as value, created_at from firewall_entries
    where shield_id = ${shieldId} and (${list}::text is null or list = ${list})
    union all
    select id, list, 'name', name, created_at from firewall_names
    where shield_id = ${shieldId} and (${list}::text is null or list = ${list})
    order by created_at desc, id desc
  `.execute(db);
  return rows;
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

/** Addresses and names together. */
export async function countEntries(trx: Trx, shieldId: string, list: ListType): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select (select count(*) from firewall_entries where shield_id = ${shieldId} and list = ${list})
      + (select count(*) from firewall_names where shield_id = ${shieldId} and list = ${list})
      as total
  `.execute(trx);
  return Number(rows[0]?.total);
}

/** The entry removed; undefined where the shield has no such entry. */
export async function deleteEntry(
  trx: Trx,
  shieldId: string,
  entryId: string,
): Promise<Pick<EntryRow, "kind" | "value"> | undefined> {
  const { rows } = await sql<Pick<EntryRow, "kind" | "value">>`
    with addresses as (
      delete from firewall_entries where shield_id = ${shieldId} and id = ${entryId}
      returning address
    ), names as (
      delete from firewall_names where shield_id = ${shieldId} and id = ${entryId} returning name
    )
    select 'address' as kind, address as value from addresses
    union all select 'name', name from names
  `.execute(trx);
  return rows[0];
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

export interface ListPart {
  readonly list: ListType;
  readonly kind: EntryKind;
}

/** Adds what the list does not have yet, in one statement. @returns how many that were */
export async function insertEntries(
  trx: Trx,
  shieldId: string,
  { list, kind }: ListPart,
  rows: { readonly ids: readonly string[]; readonly values: readonly string[]; readonly now: Date },
): Promise<number> {
  if (rows.ids.length === 0) return 0;
  const { table, value, key } = stores[kind];
  const result = await sql`
    insert into ${table} (id, shield_id, list, ${value}, created_at)
    select id, ${shieldId}::uuid, ${list}, value, ${rows.now}
    from unnest(${rows.ids}::uuid[], ${rows.values}::text[]) as given (id, value)
    on conflict (shield_id, list, ${key}) do nothing
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Empties that part of the list but for these. @returns how many went */
export async function deleteEntriesBut(
  trx: Trx,
  shieldId: string,
  { list, kind }: ListPart,
  kept: readonly string[],
): Promise<number> {
  const { table, key } = stores[kind];
  const keys = kind === "name" ? kept.map((name) => name.toLowerCase()) : kept;
  const result = await sql`
    delete from ${table}
    where shield_id = ${shieldId} and list = ${list}
      and ${key} not in (select unnest(${keys}::text[]))
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}
