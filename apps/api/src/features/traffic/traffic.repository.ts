import { sql } from "kysely";
import { isRecent } from "#src/features/liveness/liveness.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { prepared, type Given } from "#src/platform/database/prepared.ts";

export const selectLiveGauges = prepared((db, of: Given<{ shieldIds: readonly string[] }>) =>
  db
    .selectFrom("live_gauges")
    .select(({ fn }) => [
      "shield_id",
      fn.sum<string>("players").as("players"),
      fn.sum<number>("connections_per_second").as("connections_per_second"),
      fn.sum<string>("bandwidth_bps").as("bandwidth_bps"),
    ])
    .where(sql<boolean>`shield_id = any(${of.shieldIds})`)
    .where(isRecent("at"))
    .groupBy("shield_id"),
);

export const selectHours = prepared(
  (db, given: Given<{ shieldIds: readonly string[]; first: Date; last: Date }>) =>
    db
      .selectFrom("telemetry_hourly")
      .select([
        "shield_id",
        // One row of plain numbers per shield. 24 rows each, or an array of arrays, would cost more
        // than the rest of the list of shields. An hour may come several times.
        sql<number[]>`json_agg(date_part('epoch', hour))`.as("starts"),
        sql<(number | null)[]>`json_agg(player_seconds)`.as("player_seconds"),
        sql<(number | null)[]>`json_agg(refused)`.as("refused"),
      ])
      .where(sql<boolean>`shield_id = any(${given.shieldIds})`)
      .where("hour", ">=", given.first)
      .where("hour", "<=", given.last)
      .groupBy("shield_id"),
);

export async function selectRefusedTotal(
  db: Executor,
  shieldIds: readonly string[],
  after: Date,
): Promise<string | null> {
  const row = await db
    .selectFrom("telemetry_hourly")
    .select(sql<string | null>`sum(refused)`.as("refused"))
    .where("shield_id", "in", shieldIds)
    .where("hour", ">", after)
    .executeTakeFirstOrThrow();
  return row.refused;
}

/** Counts of shadow mode: `s:` and a reason for refusal, `w:` and a challenge. */
export async function selectShadowCounts(db: Executor, shieldId: string, after: Date) {
  const { rows } = await sql<{ key: string; count: string }>`
    select key, sum(value::bigint) as count
    from telemetry_hourly, jsonb_each_text(reasons)
    where shield_id = ${shieldId} and hour > ${after} and (key like 's:%' or key like 'w:%')
    group by 1
  `.execute(db);
  return rows;
}

export function selectStatusTotals(db: Executor, shieldId: string, after: Date) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom("telemetry_hourly")
        .select((of) => [
          of.fn.sum<string>("pings").as("pings"),
          of.fn.sum<string>("status_hits").as("status_hits"),
        ])
        .where("shield_id", "=", shieldId)
        .where("hour", ">", after)
        .groupBy("hour")
        .as("hours"),
    )
    .select(sql<string | null>`sum(pings)`.as("pings"))
    .select(sql<string | null>`sum(least(status_hits, pings))`.as("hits"))
    .executeTakeFirstOrThrow();
}

/** Start, player seconds, joins, pings, refused, bytes. */
type MinuteOfStats = readonly [
  number,
  number | null,
  number | null,
  number | null,
  number | null,
  number,
];

export interface StatsRow {
  readonly players: string | null;
  readonly connections_per_second: number | null;
  readonly bandwidth_bps: string | null;
  readonly bytes: string | null;
  readonly refused: string | null;
  readonly under_attack: boolean;
  readonly minutes: readonly MinuteOfStats[] | null;
}

interface StatsOf {
  readonly shieldId: string;
  /** Traffic counts from then on. */
  readonly month: Date;
  /** Refusals count after this hour. */
  readonly since: Date;
  /** The earlier of `month` and `since`. */
  readonly first: Date;
  readonly minutes: number;
}

/** Everything an overview shows of one shield, in one round trip. */
export const selectShieldStats = prepared(
  (_db, of: Given<StatsOf>) => sql<StatsRow>`
    select live.*, hours.*, newest.*,
      exists (select from attacks where shield_id = ${of.shieldId} and ended_at is null
        and not is_over)
        as under_attack
    from (
      select sum(players) as players, sum(connections_per_second) as connections_per_second,
        sum(bandwidth_bps) as bandwidth_bps
      from live_gauges where shield_id = ${of.shieldId} and ${isRecent("at")}
    ) live, (
      select sum(coalesce(bytes_up, 0) + coalesce(bytes_down, 0))
          filter (where hour >= ${of.month}) as bytes,
        sum(refused) filter (where hour > ${of.since}) as refused
      from telemetry_hourly where shield_id = ${of.shieldId} and hour >= ${of.first}
    ) hours, (
      select json_agg(json_build_array(date_part('epoch', minute), player_seconds, joins,
        pings, refused, bytes) order by minute) as minutes
      from (
        select start as minute, sum(player_seconds) as player_seconds, sum(joins) as joins,
          sum(pings) as pings, sum(refused) as refused,
          sum(coalesce(bytes_up, 0) + coalesce(bytes_down, 0)) as bytes
        from telemetry_minutes where shield_id = ${of.shieldId}
        group by start order by start desc limit ${of.minutes}
      ) minutes
    ) newest
  `,
);
