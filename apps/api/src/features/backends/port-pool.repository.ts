import { restorableDays } from "@palisade/contract/http/server-life";
import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";

/** TCP ports of groups that are not Minecraft, both ends included; every edge has all of them. */
export interface PortPool {
  readonly first: number;
  readonly last: number;
}

/** Until `trx` ends no other transaction takes a port. */
export async function lockPortPool(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('palisade_other_ports'))`.execute(trx);
}

/** A random free port, so that a port given up does not go to another customer at once. */
export async function selectFreePort(trx: Trx, pool: PortPool): Promise<number | undefined> {
  const { rows } = await sql<{ port: number }>`
    select port from generate_series(${pool.first}::integer, ${pool.last}::integer) as pool (port)
    where not exists (select from backend_groups taken where taken.port = pool.port)
    order by random() limit 1
  `.execute(trx);
  return rows[0]?.port;
}

/** A deleted shield keeps its ports as long as its owner may restore it. */
export async function freePortsOfDeletedShields(trx: Trx, now: Date): Promise<void> {
  await sql`
    delete from backend_groups using shields
    where shields.id = backend_groups.shield_id and backend_groups.game = 'other'
      and shields.deleted_at < ${now}::timestamptz - make_interval(days => ${restorableDays})
  `.execute(trx);
}
