import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import { copyRows } from "#src/platform/database/copy.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";
import type { ChallengeRow } from "./challenge-rows.ts";
import { minuteRowColumns, type MinuteRow } from "./minute-rows.ts";

/** Far above any real number; keeps the sums of a hostile edge within bigint. */
const countMax = 1_000_000_000_000;

/** A second copy waits here for the first one to commit, then finds its row. Returns whether this is the first copy. */
export async function claimReport(
  trx: Trx,
  edge: EdgeActor,
  { boot_id, seq }: TelemetryReport,
  minutes: readonly MinuteRow[],
): Promise<boolean> {
  const starts = minutes.map(({ startMs }) => startMs).toSorted((a, b) => a - b);
  const [first, last] = [starts[0], starts.at(-1)];
  const isNew = first !== undefined && last !== undefined;
  const result = await trx
    .insertInto("telemetry_reports")
    .values({
      edge_id: edge.edgeId,
      boot_id,
      seq,
      ...(isNew && { first_minute: new Date(first), last_minute: new Date(last), rolled: 0 }),
    })
    .onConflict((conflict) => conflict.columns(["edge_id", "boot_id", "seq"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function addMinutes(
  trx: Trx,
  edge: EdgeActor,
  minutes: readonly MinuteRow[],
): Promise<void> {
  const columns = ["edge_id", ...minuteRowColumns];
  const rows = minutes.map(({ values }) => [edge.edgeId, ...values]);
  await copyRows(trx, "telemetry_minutes", columns, rows);
}

/**
 * Adds to the day's counts. Two reports of one edge wait for each other at their first common row.
 *
 * @param rows in the order in which all reports write them, each key once
 */
export async function addChallengeTimes(
  trx: Trx,
  edge: EdgeActor,
  rows: readonly ChallengeRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into challenge_times as kept (shield_id, day, edge_id, challenge, protocol, passed, failed)
    select shield_id, day, ${edge.edgeId}::uuid, challenge, protocol, passed, failed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as counted (
      shield_id uuid, day date, challenge text, protocol integer, passed bigint[], failed bigint)
    on conflict (shield_id, day, edge_id, challenge, protocol) do update set
      failed = kept.failed + excluded.failed,
      passed = array(
        select coalesce(before, 0) + coalesce(added, 0)
        from unnest(kept.passed, excluded.passed) with ordinality as pair (before, added, place)
        order by place)
  `.execute(trx);
}

/** The times from `first` to `last` are known of the location, for each step of the rollups. */
export async function addCoverage(
  trx: Trx,
  edge: EdgeActor,
  first: Date,
  last: Date,
): Promise<void> {
  await sql`
    insert into telemetry_coverage (location, step, start)
    select ${edge.location}, step, start from unnest(array[60, 600, 3600, 86400]) as step,
      generate_series(date_bin(make_interval(secs => step), ${first}::timestamptz,
        timestamptz '2000-01-01 00:00:00+00'), ${last}::timestamptz, make_interval(secs => step)) as start
    on conflict do nothing
  `.execute(trx);
}

/** How many former starts of an edge are remembered. */
const formerBootsMax = 8;

/**
 * Also records that the edge is alive. `isNewest` is false for a report that a later one has
 * overtaken, be it of the same start of the edge or of a newer start: its gauges and health are
 * ignored. `isFirst` is true when the edge has restarted since its last report.
 */
export async function markReported(trx: Trx, edge: EdgeActor, report: TelemetryReport) {
  const { boot_id: bootId, seq } = report;
  const isFormer = sql`${bootId} = any(before.former_boots)`;
  const { rows } = await sql<{ is_newest: boolean; is_first: boolean; now: Date }>`
    update edges set
      last_seen_at = clock_timestamp(),
      boot_id = case when ${isFormer} then before.boot_id else ${bootId} end,
      former_boots = case when ${isFormer} or before.boot_id is null or before.boot_id = ${bootId}
        then before.former_boots
        else (before.boot_id || before.former_boots)[1:${sql.lit(formerBootsMax)}] end,
      gauge_seq = case when ${isFormer} then edges.gauge_seq
        when before.boot_id = ${bootId} then greatest(edges.gauge_seq, ${seq}) else ${seq} end,
      vpn_lists = case when ${isFormer} then edges.vpn_lists
        when before.boot_id = ${bootId} and edges.gauge_seq > ${seq} then edges.vpn_lists
        else ${report.vpn_lists ?? null}::boolean end,
      has_countries = case when ${isFormer} then edges.has_countries
        else ${report.has_countries ?? null}::boolean end,
      has_networks = case when ${isFormer} then edges.has_networks
        else ${report.has_networks ?? null}::boolean end
    from (
      select id, boot_id, former_boots from edges where id = ${edge.edgeId} for no key update
    ) before
    where edges.id = before.id and edges.revoked_at is null
    returning edges.boot_id = ${bootId} and edges.gauge_seq = ${seq} as is_newest,
      before.boot_id is distinct from edges.boot_id as is_first, clock_timestamp() as now
  `.execute(trx);
  const [row] = rows;
  return {
    isNewest: row?.is_newest ?? false,
    isFirst: row?.is_first ?? false,
    now: row?.now ?? new Date(),
  };
}

/** Shields missing from the report have neither players nor traffic. */
export async function replaceGauges(
  trx: Trx,
  edge: EdgeActor,
  report: TelemetryReport,
): Promise<void> {
  await trx.deleteFrom("live_gauges").where("edge_id", "=", edge.edgeId).execute();
  if (report.live.length === 0) return;
  await sql`
    insert into live_gauges (edge_id, shield_id, players, connections_per_second, bandwidth_bps, at)
    select distinct on (shield_id) ${edge.edgeId}::uuid, shield_id, least(players, ${sql.lit(countMax)})::bigint,
      connections_per_second, least(bandwidth_bps, ${sql.lit(countMax * 8)})::bigint, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(report.live)}::jsonb) as gauges (
      shield_id uuid, players numeric, connections_per_second double precision,
      bandwidth_bps numeric)
    where ${isServedBy(edge)}
    order by shield_id
  `.execute(trx);
}

/** Health from before the edge's start is outdated. */
export async function deleteHealth(trx: Trx, edgeId: string): Promise<void> {
  await trx.deleteFrom("backend_health").where("edge_id", "=", edgeId).execute();
  await trx.deleteFrom("bedrock_health").where("edge_id", "=", edgeId).execute();
}

/**
 * Replaces what the edge reported about these backends before. Leaves out backends that are gone,
 * that belong to a shield the edge does not serve, or to another shield than the report says. The
 * backends are locked, so that none is deleted before `trx` ends.
 */
export async function replaceHealth(
  trx: Trx,
  edge: EdgeActor,
  report: TelemetryReport,
): Promise<void> {
  const newest = [...new Map(report.backends.map((each) => [each.backend_id, each])).values()];
  await replaceRows(trx, edge, "backend_health", newest);
  const ofBedrock = newest.flatMap(({ shield_id, backend_id, bedrock }) =>
    bedrock == null ? [] : [{ shield_id, backend_id, expects_proxy: false, ...bedrock }],
  );
  await replaceRows(trx, edge, "bedrock_health", ofBedrock);
}

/** A port for Bedrock that the backend has no longer is left out. */
async function replaceRows(
  trx: Trx,
  edge: EdgeActor,
  table: "backend_health" | "bedrock_health",
  reported: readonly object[],
): Promise<void> {
  if (reported.length === 0) return;
  await sql`
    insert into ${sql.table(table)} (edge_id, backend_id, state, players, latency_ms, last_error,
      expects_proxy, changed_at, reported_at)
    select ${edge.edgeId}, backend.id, health.state,
      least(health.players, ${sql.lit(countMax)})::bigint, health.latency_ms, health.last_error,
      health.expects_proxy,
      least(health.changed_at, clock_timestamp()), clock_timestamp()
    from (
      select * from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as reported (
        shield_id uuid, backend_id uuid, state text, players numeric, latency_ms integer,
        last_error text, expects_proxy boolean, changed_at timestamptz, port integer)
      where ${isServedBy(edge)}
    ) health
    join backends backend on backend.id = health.backend_id
      and (health.port is null or health.port = backend.bedrock_port)
    join backend_groups owning on owning.id = backend.group_id
      and owning.shield_id = health.shield_id
    order by backend.id
    for key share of backend
    on conflict (edge_id, backend_id) do update set state = excluded.state,
      players = excluded.players, latency_ms = excluded.latency_ms,
      last_error = excluded.last_error, expects_proxy = excluded.expects_proxy,
      changed_at = excluded.changed_at,
      reported_at = excluded.reported_at
  `.execute(trx);
}

/**
 * Stores that addresses have answered as Minecraft. Only addresses that the shield has now count: an
 * edge may report one that its owner has changed.
 *
 * @returns the shields with an address that was not proven before
 */
export async function insertProofs(
  trx: Trx,
  edge: EdgeActor,
  { backends }: TelemetryReport,
): Promise<ReadonlySet<string>> {
  const answers = backends.flatMap(({ shield_id, backend_id, answered_at }) =>
    answered_at === null ? [] : [{ shield_id, backend_id, ...answered_at }],
  );
  if (answers.length === 0) return new Set();
  const { rows } = await sql<{ shield_id: string }>`
    insert into backend_proofs (shield_id, host, port, kind, proven_at)
    select distinct owning.shield_id, backend.host, backend.port, 'minecraft', clock_timestamp()
    from (
      select * from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as reported (
        shield_id uuid, backend_id uuid, host text, port integer)
      where ${isServedBy(edge)}
    ) answer
    join backends backend on backend.id = answer.backend_id
      and backend.host = answer.host and backend.port = answer.port
    join backend_groups owning on owning.id = backend.group_id
      and owning.shield_id = answer.shield_id and owning.game = 'minecraft'
    where not exists (
      select from backend_proofs known where known.shield_id = owning.shield_id
        and known.host = backend.host and known.port = backend.port
    )
    order by 1, 2, 3
    on conflict (shield_id, host, port) do nothing
    returning shield_id
  `.execute(trx);
  return new Set(rows.map(({ shield_id }) => shield_id));
}

/**
 * The reported shields that the edge serves, and the database's time.
 */
export async function selectServedShields(
  trx: Trx,
  edge: EdgeActor,
  { attacks, favicons, logins, minutes }: TelemetryReport,
): Promise<{ readonly served: ReadonlySet<string>; readonly now: Date }> {
  const reported = new Set(
    [...attacks, ...favicons, ...logins, ...minutes].flatMap(({ shield_id }) => shield_id ?? []),
  );
  const { rows } = await sql<{ ids: string[] | null; now: Date }>`
    select (select array_agg(distinct shield_id::text)
        from unnest(${[...reported]}::uuid[]) as shield_id where ${isServedBy(edge)}) as ids,
      clock_timestamp() as now
  `.execute(trx);
  const [row] = rows;
  return { served: new Set(row?.ids), now: row?.now ?? new Date() };
}

function isServedBy(edge: EdgeActor) {
  return sql<boolean>`shield_id in (
    select config.shield_id from shield_configs config
    where ${edge.location} = any (config.locations) or ${edge.location} = any (config.left_locations)
  )`;
}
