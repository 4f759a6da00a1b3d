import { sql, type RawBuilder } from "kysely";

/** Tables of counters, the finest first, with the seconds of a row. */
export const telemetryTables = {
  telemetry_minutes: 60,
  telemetry_tens: 600,
  telemetry_hours: 3_600,
  telemetry_days: 86_400,
} as const;
export type TelemetryTable = keyof typeof telemetryTables;

const sums = [
  "joins",
  "pings",
  "status_hits",
  "refused",
  "challenged",
  "verified",
  "bytes_up",
  "bytes_down",
  "attack_bytes",
  "player_seconds",
  "bedrock_joins",
  "bedrock_player_seconds",
  "checks",
  "checks_up",
  "latency_ms",
] as const;
export const mergedColumns = [...sums, "players_max", "connections_max"] as const;

/** Below what JavaScript counts exactly. One edge's numbers must not stop the rollups of all shields. */
const sumMax = 9_000_000_000_000_000;

/**
 * Null for 0. LEAST would take its other argument for a null.
 *
 * @param value SQL of this file
 */
function sumOf(value: string): RawBuilder<string | null> {
  return sql`nullif(least(coalesce(sum(${sql.raw(value)}), 0), ${sql.lit(sumMax)})::bigint, 0)`;
}

/** Entries of each kind in a rollup; all others are one. */
const topsMax = 100;

/** Start of the `step` seconds that a time is in, UTC. */
export function bucketOf(column: string, step: number): RawBuilder<Date> {
  return sql`date_bin(make_interval(secs => ${sql.lit(step)}), ${sql.ref(column)}, timestamptz '2000-01-01 00:00:00+00')`;
}

/**
 * Rows of a table, merged to one for each shield and `step` seconds: sums and sketches exactly, peaks as
 * the highest minute of all edges together. The columns are those of the rollups.
 *
 * @param where limits the rows of `table`
 */
export function mergedRows(
  table: TelemetryTable,
  step: number,
  where: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const kept = sql`case when place > ${sql.lit(topsMax)} then left(key, 2) else key end`;
  return sql`
    with ${numbersOf(table, step, where)}, tops as (
      select shield_id, bucket, jsonb_object_agg(key, total) as tops from (
        select shield_id, bucket, ${kept} as key, ${sumOf("total")} as total from (
          select *, row_number() over (
            partition by shield_id, bucket, left(key, 2) order by length(key) = 2, total desc, key
          ) as place from (
            select shield_id, bucket, key, ${sumOf("value::bigint")} as total
            from source, jsonb_each_text(source.tops) group by 1, 2, 3
          ) counts
        ) placed group by 1, 2, 3
      ) counts group by 1, 2
    ), sketches as (
      select shield_id, bucket, array_agg(entry) as sketch from (
        select shield_id, bucket, max(entry) as entry from source, unnest(source.sketch) as entry
        group by 1, 2, entry::integer >> 4
      ) entries group by 1, 2
    )
    select shield_id, bucket as start, ${sql.join(mergedColumns.map((column) => sql.ref(column)))},
      reasons, tops, sketch
    from summed join peaks using (shield_id, bucket)
    left join reasons using (shield_id, bucket)
    left join tops using (shield_id, bucket)
    left join sketches using (shield_id, bucket)
  `;
}

/** The same without players and what they joined with, for charts. */
export function mergedNumbers(
  table: TelemetryTable,
  step: number,
  where: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`
    with ${numbersOf(table, step, where)}
    select bucket as start, ${sql.join(mergedColumns.map((column) => sql.ref(column)))}, reasons
    from summed join peaks using (shield_id, bucket)
    left join reasons using (shield_id, bucket)
  `;
}

function numbersOf(
  table: TelemetryTable,
  step: number,
  where: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const total = (column: string) => sql`${sumOf(column)} as ${sql.ref(column)}`;
  return sql`
    source as (
      select *, ${bucketOf("start", step)} as bucket from ${sql.table(table)} where ${where}
    ), summed as (
      select shield_id, bucket, ${sql.join(sums.map(total))} from source group by 1, 2
    ), peaks as (${peaksOf(table)}), reasons as (
      select shield_id, bucket, jsonb_object_agg(key, total) as reasons from (
        select shield_id, bucket, key, ${sumOf("value::bigint")} as total
        from source, jsonb_each_text(source.reasons) group by 1, 2, 3
      ) counts group by 1, 2
    )
  `;
}

function peaksOf(table: TelemetryTable): RawBuilder<unknown> {
  if (table !== "telemetry_minutes") {
    return sql`
      select shield_id, bucket, max(players_max) as players_max,
        max(connections_max) as connections_max
      from source group by 1, 2
    `;
  }
  // An edge may report a minute in parts, each with a peak of its own.
  return sql`
    select shield_id, bucket, max(players_max) as players_max,
      max(connections_max) as connections_max
    from (
      select shield_id, bucket, start, ${sumOf("players_max")} as players_max,
        ${sumOf("connections_max")} as connections_max
      from (
        select shield_id, bucket, start, edge_id, max(players_max) as players_max,
          max(connections_max) as connections_max
        from source group by 1, 2, 3, 4
      ) edges group by 1, 2, 3
    ) minutes group by 1, 2
  `;
}
