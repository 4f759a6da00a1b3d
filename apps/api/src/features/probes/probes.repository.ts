import { sql } from "kysely";
import type { ProbeRequest, ProbeResult } from "@palisade/contract/edge/probe";
import type { Db, Executor } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/edges/liveness.service.ts";

/** Requests that wait for one edge; beyond that somebody asks faster than it can look. */
const waitingMax = 64;

const isAlive = sql<boolean>`expires_at > clock_timestamp()`;

/** False where too many wait for the edge already. */
export async function insertProbe(
  db: Executor,
  probe: { readonly edgeId: string; readonly request: ProbeRequest; readonly lifeMs: number },
): Promise<boolean> {
  const { edgeId, request, lifeMs } = probe;
  const { numAffectedRows } = await sql`
    insert into probes (id, edge_id, request, expires_at)
    select ${request.id}::uuid, ${edgeId}::uuid, ${JSON.stringify(request)},
      clock_timestamp() + make_interval(secs => ${lifeMs / 1000})
    where (
      select count(*) from probes where edge_id = ${edgeId} and result is null and ${isAlive}
    ) < ${waitingMax}
  `.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Hands over what waits for the edge, oldest first, as far as it may work on more. Each request
 * is handed over once, whichever replica asks.
 */
export async function takeProbes(
  db: Executor,
  edgeId: string,
  atOnceMax: number,
): Promise<string[]> {
  const { rows } = await sql<{ request: string }>`
    with busy as (
      select count(*) as probes from probes
      where edge_id = ${edgeId} and result is null and given_at is not null and ${isAlive}
    ), next as (
      select id from probes
      where edge_id = ${edgeId} and result is null and given_at is null and ${isAlive}
      order by id limit greatest(0, ${atOnceMax} - (select probes from busy))
      for update skip locked
    )
    update probes set given_at = clock_timestamp() from next
    where probes.id = next.id returning probes.request
  `.execute(db);
  return rows.map(({ request }) => request);
}

export function selectProbe(db: Executor, id: string) {
  return db
    .selectFrom("probes")
    .select(["result", sql<boolean>`given_at is not null`.as("is_given")])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** False where the request was not given to this edge, was answered before or is over. */
export async function storeResult(
  db: Executor,
  edgeId: string,
  result: ProbeResult,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("probes")
    .set({ result: JSON.stringify(result) })
    .where("id", "=", result.id)
    .where("edge_id", "=", edgeId)
    .where("given_at", "is not", null)
    .where("result", "is", null)
    .where(isAlive)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteProbe(db: Executor, id: string): Promise<void> {
  await db.deleteFrom("probes").where("id", "=", id).execute();
}

/** What replicas left behind that died while they waited. */
export async function deleteExpiredProbes(db: Db): Promise<void> {
  await db
    .deleteFrom("probes")
    .where("expires_at", "<", sql<Date>`clock_timestamp()`)
    .execute();
}

/** Edges that may be asked for anybody, in no order that would favour one. */
export function selectProbeEdges(db: Executor, limit: number) {
  return db
    .selectFrom("edges")
    .select(["id", "name"])
    .where("kind", "=", "edge")
    .where("revoked_at", "is", null)
    .where("credential_hash", "is not", null)
    .where("drained", "=", false)
    .where(isRecent("last_seen_at"))
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}
