import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** In the order in which they were added. */
export function selectPorts(db: Executor, shieldId: string) {
  return db
    .selectFrom("bedrock_ports")
    .select(["id", "port", "location"])
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** A random port that no shield has or had since `restedBefore`. */
export async function selectFreePort(
  trx: Trx,
  pool: { readonly first: number; readonly last: number },
  restedBefore: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ port: number }>`
    select port from generate_series(${pool.first}::integer, ${pool.last}::integer) as pool (port)
    where not exists (select from bedrock_ports taken where taken.port = pool.port
      and taken.location is null
      and (taken.removed_at is null or taken.removed_at > ${restedBefore}))
    order by random() limit 1
  `.execute(trx);
  return rows[0]?.port;
}

export interface PortTaken {
  readonly id: string;
  readonly shieldId: string;
  readonly port: number;
  /** The location of a default port; null for a port with one owner everywhere. */
  readonly location: string | null;
  readonly now: Date;
  readonly restedBefore: Date;
}

/**
 * Gives the port to the shield, unless another one has it or it still rests. The unique constraint
 * decides between two at once.
 *
 * @returns false where the shield does not get it
 */
export async function takePort(trx: Trx, taken: PortTaken): Promise<boolean> {
  const { id, shieldId, port, location, now, restedBefore } = taken;
  const { rows } = await sql`
    insert into bedrock_ports as held (id, shield_id, port, location, created_at)
    values (${id}, ${shieldId}, ${port}, ${location}, ${now})
    on conflict on constraint bedrock_ports_owner do update
      set id = excluded.id, shield_id = excluded.shield_id, created_at = excluded.created_at,
        removed_at = null
      where held.removed_at is not null
        and (held.removed_at <= ${restedBefore} or held.shield_id = excluded.shield_id)
    returning held.id
  `.execute(trx);
  return rows.length === 1;
}

export async function removePort(
  trx: Trx,
  shieldId: string,
  portId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("bedrock_ports")
    .set({ removed_at: now })
    .where("shield_id", "=", shieldId)
    .where("id", "=", portId)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function removeAllPorts(trx: Trx, shieldId: string, now: Date): Promise<void> {
  await trx
    .updateTable("bedrock_ports")
    .set({ removed_at: now })
    .where("shield_id", "=", shieldId)
    .where("removed_at", "is", null)
    .execute();
}

/** Ports that were removed at that time and that no other shield has taken since. */
export async function returnPorts(trx: Trx, shieldId: string, removedAt: Date): Promise<void> {
  await trx
    .updateTable("bedrock_ports")
    .set({ removed_at: null })
    .where("shield_id", "=", shieldId)
    .where("removed_at", "=", removedAt)
    .execute();
}

/** Ports of erased shields still rest, without the shield's id. */
export async function disownPorts(trx: Trx, shieldIds: readonly string[]): Promise<void> {
  await sql`
    update bedrock_ports set shield_id = null, removed_at = coalesce(removed_at, clock_timestamp())
    where shield_id = any(${shieldIds}::uuid[])
  `.execute(trx);
}
