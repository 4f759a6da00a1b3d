import { endedShownMs } from "@palisade/contract/http/firewall-entry";
import { type EntryKind, entryKinds } from "@palisade/contract/http/firewall";
import { type RawBuilder, sql, type Updateable } from "kysely";
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
  readonly note: string;
  /** Null: it has no end. */
  readonly expires_at: Date | null;
}

type StoredEntry = EntryRow & { readonly ended: boolean };

/** The tables of entries; `key` tells whether two values are the same. */
const stores = {
  address: {
    table: sql.table("firewall_entries"),
    value: sql.ref("address"),
    key: (value: RawBuilder<unknown>) => value,
  },
  name: {
    table: sql.table("firewall_names"),
    value: sql.ref("name"),
    key: (value: RawBuilder<unknown>) => sql`lower(${value})`,
  },
};

const columns = sql`id, list, created_at, note, expires_at, ended`;

/** Newest first; of one list or both; for a day also those that have ended. */
export async function selectEntries(
  db: Executor,
  shieldId: string,
  list: ListType | null = null,
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select 'address' as kind, address as value, ${columns} from firewall_entries
    where shield_id = ${shieldId} and (${list}::text is null or list = ${list})
    union all
    select 'name', name, ${columns} from firewall_names
    where shield_id = ${shieldId} and (${list}::text is null or list = ${list})
    order by created_at desc, id desc
  `.execute(db);
  return rows;
}

export async function selectEntry(
  db: Executor,
  shieldId: string,
  entryId: string,
): Promise<StoredEntry | undefined> {
  const { rows } = await sql<StoredEntry>`
    select 'address' as kind, address as value, ${columns} from firewall_entries
    where shield_id = ${shieldId} and id = ${entryId}
    union all
    select 'name', name, ${columns} from firewall_names
    where shield_id = ${shieldId} and id = ${entryId}
  `.execute(db);
  return rows[0];
}

/** Changes switches, if any, counts the change, and notes when the next entry ends. */
export async function updateSwitches(
  trx: Trx,
  shieldId: string,
  changes: Omit<Updateable<Database["shield_firewalls"]>, "shield_id" | "version" | "next_end_at">,
): Promise<number> {
  const ends = entryKinds.map(
    (kind) => sql`
      select case when ended then expires_at + ${endedShownMs} * interval '1 millisecond'
        else expires_at end as at
      from ${stores[kind].table} where shield_id = ${shieldId} and expires_at is not null`,
  );
  const row = await trx
    .updateTable("shield_firewalls")
    .set({
      ...changes,
      version: sql<number>`version + 1`,
      next_end_at: sql<Date | null>`(select min(at) from (${sql.join(ends, sql` union all `)}) ends)`,
    })
    .where("shield_id", "=", shieldId)
    .returning("version")
    .executeTakeFirstOrThrow();
  return row.version;
}

/** Addresses and names together, without those that have ended. */
export async function countEntries(
  trx: Trx,
  shieldId: string,
  list: ListType,
  now: Date,
): Promise<number> {
  const counts = entryKinds.map(
    (kind) => sql`
      (select count(*) from ${stores[kind].table}
      where shield_id = ${shieldId} and list = ${list} and ${isInForce(now)})`,
  );
  const { rows } = await sql<{ total: string }>`
    select ${sql.join(counts, sql` + `)} as total
  `.execute(trx);
  return Number(rows[0]?.total);
}

function isInForce(now: Date) {
  return sql<boolean>`(expires_at is null or expires_at > ${now})`;
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

export async function updateEntryById(
  trx: Trx,
  shieldId: string,
  { id, kind }: Pick<StoredEntry, "id" | "kind">,
  { note, expires_at, ended }: Pick<StoredEntry, "note" | "expires_at" | "ended">,
): Promise<void> {
  await sql`
    update ${stores[kind].table}
    set note = ${note}, expires_at = ${expires_at}::timestamptz, ended = ${ended}
    where shield_id = ${shieldId} and id = ${id}
  `.execute(trx);
}

/** Whether an entry of the list is the address or holds it. */
export async function listHolds(
  db: Executor,
  shieldId: string,
  { list, address, now }: { readonly list: ListType; readonly address: string; readonly now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom("firewall_entries")
    .select("id")
    .where("shield_id", "=", shieldId)
    .where("list", "=", list)
    .where(sql<boolean>`address::inet >>= ${address}::inet`)
    .where(isInForce(now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface ListPart {
  readonly list: ListType;
  readonly kind: EntryKind;
}

/** Removes entries with one of the values that have ended: an entry of the same value may take their place. */
export async function deleteEnded(
  trx: Trx,
  shieldId: string,
  { list, kind }: ListPart,
  { values, now }: { readonly values: readonly string[]; readonly now: Date },
): Promise<void> {
  const { table, value, key } = stores[kind];
  await sql`
    delete from ${table}
    where shield_id = ${shieldId} and list = ${list} and expires_at <= ${now}
      and ${key(value)} in (select ${key(sql`given`)} from unnest(${values}::text[]) given)
  `.execute(trx);
}

type NewEntry = Pick<EntryRow, "id" | "value" | "note" | "expires_at">;

/** Adds what the list does not have yet, in one statement. @returns how many that were */
export async function insertEntries(
  trx: Trx,
  shieldId: string,
  { list, kind }: ListPart,
  { entries, now }: { readonly entries: readonly NewEntry[]; readonly now: Date },
): Promise<number> {
  if (entries.length === 0) return 0;
  const { table, value, key } = stores[kind];
  const result = await sql`
    insert into ${table} (id, shield_id, list, ${value}, created_at, note, expires_at)
    select id, ${shieldId}::uuid, ${list}, value, ${now}, note, expires_at
    from unnest(${entries.map(({ id }) => id)}::uuid[],
      ${entries.map((entry) => entry.value)}::text[], ${entries.map(({ note }) => note)}::text[],
      ${entries.map(({ expires_at }) => expires_at)}::timestamptz[])
      as given (id, value, note, expires_at)
    on conflict (shield_id, list, ${key(value)}) do nothing
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Changes the note and the end of an entry; undefined parts stay as they are. */
export interface EntryDetails {
  readonly value: string;
  readonly note: string | undefined;
  readonly expires_at: Date | null | undefined;
}

/** Gives entries of the list another note or end. @returns how many changed */
export async function updateEntries(
  trx: Trx,
  shieldId: string,
  { list, kind }: ListPart,
  details: readonly EntryDetails[],
): Promise<number> {
  if (details.length === 0) return 0;
  const { table, value, key } = stores[kind];
  const result = await sql`
    update ${table} kept set note = next.note, expires_at = next.expires_at, ended = false
    from (
      select own.id, coalesce(given.note, own.note) as note,
        case when given.has_end then given.expires_at else own.expires_at end as expires_at
      from unnest(${details.map((each) => each.value)}::text[],
        ${details.map(({ note }) => note ?? null)}::text[],
        ${details.map(({ expires_at }) => expires_at ?? null)}::timestamptz[],
        ${details.map(({ expires_at }) => expires_at !== undefined)}::boolean[])
        as given (value, note, expires_at, has_end)
      join ${table} own on own.shield_id = ${shieldId} and own.list = ${list}
        and ${key(sql`own.${value}`)} = ${key(sql`given.value`)}
    ) next
    where kept.id = next.id
      and (kept.note, kept.expires_at) is distinct from (next.note, next.expires_at)
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
  const { table, value, key } = stores[kind];
  const keys = kind === "name" ? kept.map((name) => name.toLowerCase()) : kept;
  const result = await sql`
    delete from ${table}
    where shield_id = ${shieldId} and list = ${list}
      and ${key(value)} not in (select unnest(${keys}::text[]))
  `.execute(trx);
  return Number(result.numAffectedRows ?? 0n);
}
