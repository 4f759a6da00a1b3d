import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import type { TelemetryReport } from "@palisade/contract/edge/telemetry";
import { sql } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";

/** Far above any real minute of one shield; keeps the sums of a hostile edge within bigint. */
const countMax = 1_000_000_000_000;

/** Older counters are dropped. Reports are remembered for longer, so none is ever counted twice. */
export const minuteAgeHoursMax = 48;

/** A second copy waits here for the first one to commit, then finds its row. Returns whether this is the first copy. */
export async function claimReport(
  trx: Trx,
  edge: EdgeActor,
  report: TelemetryReport,
): Promise<boolean> {
  const result = await trx
    .insertInto("telemetry_reports")
    .values({ edge_id: edge.edgeId, boot_id: report.boot_id, seq: report.seq })
    .onConflict((conflict) => conflict.columns(["edge_id", "boot_id", "seq"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** A join that found no backend was not blocked; its reason is counted separately. */
function blockedOf(refused: MinuteCounters["refused"]): number {
  const blocked = Object.entries(refused).filter(([reason]) => reason !== "offline");
  return blocked.reduce((sum, [, count]) => sum + count, 0);
}

export async function countMinutes(
  trx: Trx,
  edge: EdgeActor,
  report: TelemetryReport,
): Promise<void> {
  const minutes = report.minutes.map(({ refused, ...counters }) => ({
    ...counters,
    refused: blockedOf(refused),
  }));
  await sql`
    with given as (
      select shield_id, date_trunc('minute', minute) as minute,
        ${sumOf("joins")}, ${sumOf("pings")}, ${sumOf("refused")}, ${sumOf("bytes_up")},
        ${sumOf("bytes_down")}, ${sumOf("player_seconds")}, ${sumOf("status_hits")},
        ${sumOf("challenged")}, ${sumOf("verified")},
        least(max(players_max), ${sql.lit(countMax)})::bigint as players_max
      from jsonb_to_recordset(${JSON.stringify(minutes)}::jsonb) as counters (
        shield_id uuid, minute timestamptz, joins numeric, pings numeric, refused numeric,
        bytes_up numeric, bytes_down numeric, player_seconds numeric, players_max numeric,
        status_hits numeric, challenged numeric, verified numeric)
      where ${isServedBy(edge)} and ${isPlausible}
      group by 1, 2
    ), minutes as (
      insert into traffic_minutes as known (shield_id, minute, edge_id, joins, pings, refused,
        bytes_up, bytes_down, player_seconds, status_hits, players_max)
      select shield_id, minute, ${edge.edgeId}, joins, pings, refused, bytes_up, bytes_down,
        player_seconds, status_hits, players_max
      from given order by shield_id, minute
      on conflict (shield_id, minute, edge_id) do update set
        ${added("joins")}, ${added("pings")}, ${added("refused")}, ${added("bytes_up")},
        ${added("bytes_down")}, ${added("player_seconds")}, ${added("status_hits")},
        players_max = greatest(known.players_max, excluded.players_max)
    )
    insert into traffic_hours as known (shield_id, hour, joins, pings, refused, bytes_up,
      bytes_down, player_seconds, status_hits, challenged, verified)
    select shield_id, date_trunc('hour', minute, 'UTC'), sum(joins), sum(pings), sum(refused),
      sum(bytes_up), sum(bytes_down), sum(player_seconds), sum(status_hits), sum(challenged),
      sum(verified)
    from given group by 1, 2 order by 1, 2
    on conflict (shield_id, hour) do update set
      ${added("joins")}, ${added("pings")}, ${added("refused")}, ${added("bytes_up")},
      ${added("bytes_down")}, ${added("player_seconds")}, ${added("status_hits")},
      ${added("challenged")}, ${added("verified")}
  `.execute(trx);
  await countReasons(trx, edge, "traffic_refusals", byReason(report, "refused"));
  await countReasons(trx, edge, "traffic_shadowed", byReason(report, "shadowed"));
}

function byReason(report: TelemetryReport, kind: "refused" | "shadowed") {
  return report.minutes.flatMap((counters) =>
    Object.entries(counters[kind]).map(([reason, count]) => ({
      shield_id: counters.shield_id,
      minute: counters.minute,
      reason,
      count,
    })),
  );
}

async function countReasons(
  trx: Trx,
  edge: EdgeActor,
  table: "traffic_refusals" | "traffic_shadowed",
  counts: ReturnType<typeof byReason>,
): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into ${sql.table(table)} as known (shield_id, hour, reason, count)
    select shield_id, date_trunc('hour', minute, 'UTC'), reason, ${sumOf("count")}
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counters (
      shield_id uuid, minute timestamptz, reason text, count numeric)
    where count > 0 and ${isServedBy(edge)} and ${isPlausible}
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (shield_id, hour, reason) do update set ${added("count")}
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
        else ${report.vpn_lists ?? null}::boolean end
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
  if (report.backends.length === 0) return;
  const newest = new Map(report.backends.map((health) => [health.backend_id, health]));
  await sql`
    insert into backend_health (edge_id, backend_id, state, players, latency_ms, last_error,
      expects_proxy, changed_at, reported_at)
    select ${edge.edgeId}, backend.id, health.state,
      least(health.players, ${sql.lit(countMax)})::bigint, health.latency_ms, health.last_error,
      health.expects_proxy,
      least(health.changed_at, clock_timestamp()), clock_timestamp()
    from (
      select * from jsonb_to_recordset(${JSON.stringify([...newest.values()])}::jsonb) as reported (
        shield_id uuid, backend_id uuid, state text, players numeric, latency_ms integer,
        last_error text, expects_proxy boolean, changed_at timestamptz)
      where ${isServedBy(edge)}
    ) health
    join backends backend on backend.id = health.backend_id
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

/** The shields of the reported logins, attacks and icons, limited to those the edge serves. */
export async function selectServedShields(
  trx: Trx,
  edge: EdgeActor,
  { attacks, favicons, logins }: TelemetryReport,
): Promise<ReadonlySet<string>> {
  const reported = new Set(
    [...attacks, ...favicons, ...logins].flatMap(({ shield_id }) => shield_id ?? []),
  );
  if (reported.size === 0) return reported;
  const { rows } = await sql<{ shield_id: string }>`
    select distinct shield_id from unnest(${[...reported]}::uuid[]) as shield_id where ${isServedBy(edge)}
  `.execute(trx);
  return new Set(rows.map(({ shield_id }) => shield_id));
}

function isServedBy(edge: EdgeActor) {
  return sql<boolean>`shield_id in (
    select config.shield_id from shield_configs config
    where ${edge.location} = any (config.locations) or ${edge.location} = any (config.left_locations)
  )`;
}

/** By the database's clock; five minutes allow for the clock of the edge. */
const isPlausible = sql<boolean>`minute between
  clock_timestamp() - make_interval(hours => ${sql.lit(minuteAgeHoursMax)})
  and clock_timestamp() + interval '5 minutes'`;

function sumOf(column: string) {
  return sql`least(sum(${sql.ref(column)}), ${sql.lit(countMax)})::bigint as ${sql.ref(column)}`;
}

function added(column: string) {
  return sql`${sql.ref(column)} = known.${sql.ref(column)} + excluded.${sql.ref(column)}`;
}

/** Reports outlive the minutes they may still bring; minutes serve the charts of a month. */
const reportDaysKept = 7;
const minuteDaysKept = 31;

/** Hours and refusals are kept. */
export async function deleteOldTelemetry(db: Db): Promise<void> {
  const before = (days: number) => sql<Date>`clock_timestamp() - make_interval(days => ${days})`;
  await db
    .deleteFrom("telemetry_reports")
    .where("received_at", "<", before(reportDaysKept))
    .execute();
  await db.deleteFrom("traffic_minutes").where("minute", "<", before(minuteDaysKept)).execute();
}
