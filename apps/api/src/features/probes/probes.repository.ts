import { sql } from "kysely";
import {
  probesAtOnceMax,
  type ProbeRequest,
  type ProbeResult,
} from "@palisade/contract/edge/probe";
import type { Db, Executor } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

export type ProbePurpose = "wizard" | "doctor";

/**
 * Requests per edge, waiting and running; beyond that, requests come faster than the edge can probe.
 * Each purpose has its own limit, so that many runs of the doctor do not block the wizard.
 */
const ofPurposeMax = 32;
/** As many backends as the doctor checks from one edge. */
const ofAskerMax = 6;
/** Running probes of one purpose and of one user; the rest is left for others. */
const runningOfPurposeMax = probesAtOnceMax - 2;
const runningOfAskerMax = 3;

const isAlive = sql<boolean>`expires_at > clock_timestamp()`;

export interface NewProbe {
  readonly edgeId: string;
  readonly request: ProbeRequest;
  readonly lifeMs: number;
  readonly asker: string;
  readonly purpose: ProbePurpose;
}

/** False when too many requests wait for the edge, or too many of this user. */
export async function insertProbe(db: Executor, probe: NewProbe): Promise<boolean> {
  const { edgeId, request, lifeMs, asker, purpose } = probe;
  const { numAffectedRows } = await sql`
    insert into probes (id, edge_id, asker, purpose, request, expires_at)
    select ${request.id}::uuid, ${edgeId}::uuid, ${asker}::uuid, ${purpose},
      ${JSON.stringify(request)}, clock_timestamp() + make_interval(secs => ${lifeMs / 1000})
    from (
      select count(*) as probes, count(*) filter (where asker = ${asker}::uuid) as of_asker
      from probes
      where edge_id = ${edgeId} and purpose = ${purpose} and result is null and ${isAlive}
    ) as load
    where load.probes < ${ofPurposeMax} and load.of_asker < ${ofAskerMax}
  `.execute(db);
  return numAffectedRows === 1n;
}

/** From now on requests for the edge are handed to this stream alone. */
export async function moveToStream(db: Executor, edgeId: string, streamId: string): Promise<void> {
  await db.updateTable("edges").set({ probe_stream: streamId }).where("id", "=", edgeId).execute();
}

/**
 * Hands over what waits for the edge as far as it may work on more: users take turns, each with
 * their oldest. Each request is handed over once, whichever replica asks, and only to the edge's
 * newest stream: the edge reads no other.
 */
export async function takeProbes(
  db: Executor,
  edgeId: string,
  streamId: string,
): Promise<string[]> {
  const { rows } = await sql<{ request: string }>`
    with open as (
      select id, purpose, asker, given_at is not null as is_running from probes
      where edge_id = ${edgeId} and result is null and ${isAlive}
    ), of_askers as (
      select id, purpose, is_running, row_number() over (
        partition by purpose, asker order by is_running desc, id
      ) as turn
      from open
    ), of_purposes as (
      select id, is_running, turn, row_number() over (
        partition by purpose order by is_running desc, turn, id
      ) as place
      from of_askers where turn <= ${runningOfAskerMax}
    ), next as (
      select probes.id from probes join of_purposes using (id)
      where not is_running and place <= ${runningOfPurposeMax} and probes.given_at is null
        and exists (select from edges where id = ${edgeId} and probe_stream = ${streamId}::uuid)
      order by turn, probes.id
      limit greatest(0, ${probesAtOnceMax} - (select count(*) from open where is_running))
      for update of probes skip locked
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

/** False when the request was not given to this edge, was answered before or has expired. */
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

/** Deletes requests of replicas that died while they waited. */
export async function deleteExpiredProbes(db: Db): Promise<void> {
  await db
    .deleteFrom("probes")
    .where("expires_at", "<", sql<Date>`clock_timestamp()`)
    .execute();
}

/**
 * Edges that may probe for any user, in random order.
 *
 * @param schemaMin schema of configurations, by which an edge's release is known
 */
export function selectProbeEdges(db: Executor, limit: number, schemaMin = 0) {
  return db
    .selectFrom("edges")
    .select(["id", "name"])
    .where("kind", "=", "edge")
    .where("revoked_at", "is", null)
    .where("credential_hash", "is not", null)
    .where("drained", "=", false)
    .where("config_schema", ">=", schemaMin)
    .where(isRecent("last_seen_at"))
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}
