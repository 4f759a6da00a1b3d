import { restorableDays } from "@palisade/contract/http/server-life";
import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** TCP ports of groups that are not Minecraft, both ends included; every edge has all of them. */
export interface PortPool {
  readonly first: number;
  readonly last: number;
}

/**
 * A port no group has. Held from here to the end of `trx`, one at a time: of two who come for the
 * last port one is told that there is none. Any of the free ones, so that a port given up is not
 * at once another customer's.
 *
 * @throws DomainError `pool_exhausted`
 */
export async function takePort(trx: Trx, pool: PortPool, now: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('palisade_other_ports'))`.execute(trx);
  const port = (await freePort(trx, pool)) ?? (await reclaimPort(trx, pool, now));
  if (port === undefined) throw new DomainError("pool_exhausted");
  return port;
}

async function freePort(trx: Trx, pool: PortPool): Promise<number | undefined> {
  const { rows } = await sql<{ port: number }>`
    select port from generate_series(${pool.first}::integer, ${pool.last}::integer) as pool (port)
    where not exists (select from backend_groups taken where taken.port = pool.port)
    order by random() limit 1
  `.execute(trx);
  return rows[0]?.port;
}

/** As long as its owner may have a deleted shield back, its ports stay its own. */
async function reclaimPort(trx: Trx, pool: PortPool, now: Date): Promise<number | undefined> {
  await sql`
    delete from backend_groups using shields
    where shields.id = backend_groups.shield_id and backend_groups.game = 'other'
      and shields.deleted_at < ${now}::timestamptz - make_interval(days => ${restorableDays})
  `.execute(trx);
  return freePort(trx, pool);
}
