import type { SettingArea } from "@palisade/contract/http/history";
import { sql } from "kysely";
import { bucketOf, ofPiece, type Piece } from "#src/features/telemetry/telemetry-reads.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import type { AnalyticsWindow } from "./analytics-window.ts";

interface Subject {
  readonly created_at: Date;
  readonly plan_limits: unknown;
  /** Locations at which its players may have come in. */
  readonly locations: readonly string[];
  readonly has_countries: boolean;
  readonly has_networks: boolean;
}

export async function selectSubject(trx: Trx, shieldId: string): Promise<Subject | undefined> {
  const { rows } = await sql<Subject>`
    select shields.created_at, pricing_plans.limits as plan_limits, reached.locations,
      coalesce(bool_or(edges.has_countries), false) as has_countries,
      coalesce(bool_or(edges.has_networks), false) as has_networks
    from shields
    join pricing_plans on pricing_plans.id = shields.pricing_plan_id
    cross join lateral (
      select array(
        select distinct location from shield_configs,
          unnest(locations || left_locations) as location
        where shield_id = shields.id
      ) as locations
    ) reached
    left join edges on edges.location = any(reached.locations) and edges.revoked_at is null
    where shields.id = ${shieldId}
    group by shields.id, pricing_plans.id, reached.locations
  `.execute(trx);
  return rows[0];
}

/** Starts of the points that an edge of the locations has reported. */
export async function selectCovered(
  trx: Trx,
  locations: readonly string[],
  { fromMs, toMs, step }: AnalyticsWindow,
): Promise<Set<number>> {
  const { rows } = await sql<{ start: Date }>`
    select distinct start from telemetry_coverage
    where location = any(${locations}::text[]) and step = ${step}
      and start >= ${new Date(fromMs)} and start < ${new Date(toMs)}
  `.execute(trx);
  return new Set(rows.map(({ start }) => start.getTime()));
}

/** Joins by what players joined with, as `MinuteDetails.tops` has it. */
export async function selectTops(
  trx: Trx,
  shieldId: string,
  pieces: readonly Piece[],
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const piece of pieces) {
    const { rows } = await sql<{ key: string; joins: string }>`
      select key, sum(value::bigint) as joins
      from ${sql.table(piece.table)}, jsonb_each_text(tops)
      where ${ofPiece(shieldId, piece)} group by 1
    `.execute(trx);
    for (const { key, joins } of rows) sums.set(key, (sums.get(key) ?? 0) + Number(joins));
  }
  return sums;
}

interface SketchRow {
  readonly startMs: number;
  readonly entries: readonly number[];
}

/** Players by `days` days, which end at `endMs`; one start may come several times. */
export async function selectSketches(
  trx: Trx,
  shieldId: string,
  pieces: readonly Piece[],
  { days, endMs }: { readonly days: number; readonly endMs: number },
): Promise<SketchRow[]> {
  const found: SketchRow[] = [];
  for (const piece of pieces) {
    const { rows } = await sql<{ period: Date; entries: number[] }>`
      select period, array_agg(entry) as entries from (
        select date_bin(make_interval(days => ${sql.lit(days)}), start, ${new Date(endMs)}::timestamptz)
          as period, max(entry)::integer as entry
        from ${sql.table(piece.table)}, unnest(sketch) as entry
        where ${ofPiece(shieldId, piece)} group by 1, entry::integer >> 4
      ) entries group by 1
    `.execute(trx);
    found.push(...rows.map(({ period, entries }) => ({ startMs: period.getTime(), entries })));
  }
  return found;
}

interface WeekHourRow {
  /** 0 is Monday 0:00, UTC. */
  readonly slot: number;
  readonly hours: number;
  readonly player_seconds: string | null;
  readonly joins: string | null;
}

interface AskedHours extends Pick<AnalyticsWindow, "fromMs" | "toMs"> {
  readonly shieldId: string;
  readonly locations: readonly string[];
}

/**
 * By hour of the week; only hours that an edge of the locations has reported.
 *
 * @param pieces of the whole time, with hours as their coarsest table
 */
export async function selectWeekHours(
  trx: Trx,
  { shieldId, locations, fromMs, toMs }: AskedHours,
  pieces: readonly Piece[],
): Promise<WeekHourRow[]> {
  if (pieces.length === 0) return [];
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const rowsOf = (isRollup: boolean) =>
    sql.join(
      [
        sql`select null::timestamptz as hour, null::bigint as player_seconds, null::bigint as joins
          where false`,
        ...pieces
          .filter(({ table }) => (table === "telemetry_hours") === isRollup)
          .map(
            (piece) => sql`select ${isRollup ? sql.ref("start") : bucketOf("start", 3_600)},
              player_seconds, joins from ${sql.table(piece.table)}
              where ${ofPiece(shieldId, piece)}`,
          ),
      ],
      sql` union all `,
    );
  const { rows } = await sql<WeekHourRow>`
    with counted as (
      -- Each hour of the rollup has one row; other pieces meet within hours.
      ${rowsOf(true)} union all
      select hour, sum(player_seconds), sum(joins) from (${rowsOf(false)}) finer group by 1
    ), covered as (
      select distinct start as hour from telemetry_coverage
      where location = any(${locations}::text[]) and step = 3600
        and start >= ${from} and start < ${to}
    )
    -- Time began on a Thursday.
    select ((date_part('epoch', hour)::bigint / 3600 + 72) % 168)::integer as slot,
      count(*)::integer as hours, sum(player_seconds) as player_seconds, sum(joins) as joins
    from covered full join counted using (hour) group by 1
  `.execute(trx);
  return rows;
}

/** Attacks that touch the window, the newest first. */
export function selectAttackMarks(
  trx: Trx,
  shieldId: string,
  { fromMs, toMs }: AnalyticsWindow,
  limit: number,
) {
  return trx
    .selectFrom("attacks")
    .select(["id", "started_at", "ended_at", "peak_per_second", "datagrams_peak"])
    .where("shield_id", "=", shieldId)
    .where("started_at", "<", new Date(toMs))
    .where((eb) => eb.or([eb("ended_at", "is", null), eb("ended_at", ">=", new Date(fromMs))]))
    .orderBy("started_at", "desc")
    .limit(limit)
    .execute();
}

interface ChangeMark {
  readonly id: string;
  readonly area: SettingArea;
  readonly created_at: Date;
  readonly fields: readonly string[];
}

/** Changes of settings in the window, the newest first. */
export async function selectChangeMarks(
  trx: Trx,
  shieldId: string,
  areas: readonly SettingArea[],
  { fromMs, toMs }: AnalyticsWindow,
  limit: number,
): Promise<ChangeMark[]> {
  const { rows } = await sql<ChangeMark>`
    select id, area, created_at, array(
      select distinct change->>'field' from jsonb_array_elements(changes::jsonb) as change order by 1
    ) as fields
    from shield_changes
    where shield_id = ${shieldId} and area = any(${[...areas]}::text[])
      and created_at >= ${new Date(fromMs)} and created_at < ${new Date(toMs)}
    order by position desc limit ${limit}
  `.execute(trx);
  return rows;
}
