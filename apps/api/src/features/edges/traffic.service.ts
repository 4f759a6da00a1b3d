import { refusalReasons, type Refusals } from "@palisade/contract/edge/telemetry";
import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { prepared, type Given } from "#src/platform/database/prepared.ts";
import { isRecent } from "./liveness.service.ts";

const hourMs = 3_600_000;

export interface LiveFigures {
  readonly players: number;
  readonly connectionsPerSecond: number;
  readonly bandwidthBps: number;
}

const liveGauges = prepared((db, of: Given<{ shieldIds: readonly string[] }>) =>
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

/** What edges that are online report right now, per shield; shields without a report are absent. */
export async function liveFigures(
  db: Executor,
  shieldIds: readonly string[],
): Promise<Map<string, LiveFigures>> {
  if (shieldIds.length === 0) return new Map();
  const rows = await liveGauges(db, { shieldIds });
  return new Map(rows.map((row) => [row.shield_id, toLive(row)]));
}

export interface HourFigures {
  /** Mean players; of the current hour, so far. */
  readonly players: number;
  /** Sum over its seconds of players online. */
  readonly playerSeconds: number;
  readonly refused: number;
}

const hoursBetween = prepared(
  (db, given: Given<{ shieldIds: readonly string[]; first: Date; last: Date }>) =>
    db
      .selectFrom("traffic_hours")
      .select([
        "shield_id",
        // One row per shield, of plain numbers: 24 rows each, or an array of arrays, cost more than
        // all the rest of a list of shields.
        sql<number[]>`json_agg(date_part('epoch', hour))`.as("starts"),
        sql<number[]>`json_agg(player_seconds)`.as("player_seconds"),
        sql<number[]>`json_agg(refused)`.as("refused"),
      ])
      .where(sql<boolean>`shield_id = any(${given.shieldIds})`)
      .where("hour", ">=", given.first)
      .where("hour", "<=", given.last)
      .groupBy("shield_id"),
);

/**
 * The last 24 hours of each shield, oldest first, the current one included. Hours without
 * telemetry are 0.
 */
export async function lastDay(
  db: Executor,
  shieldIds: readonly string[],
  now: Date,
): Promise<Map<string, HourFigures[]>> {
  const current = Math.floor(now.getTime() / hourMs);
  const empty = Array.from({ length: 24 }, () => ({ players: 0, playerSeconds: 0, refused: 0 }));
  const days = new Map(shieldIds.map((id) => [id, [...empty]]));
  if (shieldIds.length === 0) return days;
  const first = new Date((current - 23) * hourMs);
  const rows = await hoursBetween(db, { shieldIds, first, last: new Date(current * hourMs) });
  const currentSeconds = Math.max(60, (now.getTime() % hourMs) / 1000);
  for (const { shield_id, starts, player_seconds, refused } of rows) {
    const day = days.get(shield_id);
    if (day === undefined) continue;
    for (const [index, start] of starts.entries()) {
      const hour = (start * 1000) / hourMs;
      const playerSeconds = player_seconds[index] ?? 0;
      const players = playerSeconds / (hour === current ? currentSeconds : 3600);
      day[hour - current + 23] = { players, playerSeconds, refused: toCount(refused[index] ?? 0) };
    }
  }
  return days;
}

/** Connections refused since `since`, all shields together, by whole hours. */
export async function refusedSince(
  db: Executor,
  shieldIds: readonly string[],
  since: Date,
): Promise<number> {
  if (shieldIds.length === 0) return 0;
  const row = await db
    .selectFrom("traffic_hours")
    .select(sql<string | null>`sum(refused)`.as("refused"))
    .where("shield_id", "in", shieldIds)
    .where("hour", ">", new Date(since.getTime() - hourMs))
    .executeTakeFirstOrThrow();
  return toCount(row.refused);
}

/** Who would have been refused since `since`, but for shadow mode, by reason and whole hours. */
export async function shadowedSince(
  db: Executor,
  shieldId: string,
  since: Date,
): Promise<Refusals> {
  const rows = await db
    .selectFrom("traffic_shadowed")
    .select(["reason", (eb) => eb.fn.sum<string>("count").as("count")])
    .where("shield_id", "=", shieldId)
    .where("hour", ">", new Date(since.getTime() - hourMs))
    .groupBy("reason")
    .execute();
  const known = rows.filter(({ reason }) => refusalReasons.some((one) => one === reason));
  return Object.fromEntries(known.map(({ reason, count }) => [reason, toCount(count)]));
}

export interface StatusFigures {
  readonly pings: number;
  /** Of `pings`: answered without asking a backend. */
  readonly hits: number;
}

/** Server-list pings since `since`, by whole hours, and how many of them no backend was asked for. */
export async function statusHits(
  db: Executor,
  shieldId: string,
  since: Date,
): Promise<StatusFigures> {
  const row = await db
    .selectFrom("traffic_hours")
    .select(sql<string | null>`sum(pings)`.as("pings"))
    .select(sql<string | null>`sum(least(status_hits, pings))`.as("hits"))
    .where("shield_id", "=", shieldId)
    .where("hour", ">", new Date(since.getTime() - hourMs))
    .executeTakeFirstOrThrow();
  return { pings: toCount(row.pings), hits: toCount(row.hits) };
}

export interface MinuteFigures {
  readonly minute: Date;
  readonly players: number;
  readonly joins: number;
  readonly pings: number;
  readonly refused: number;
  readonly bytes: number;
}

export interface ShieldFigures {
  readonly live: LiveFigures;
  /** Bytes relayed both ways since the first of `now`'s month, UTC. */
  readonly monthBytes: number;
  /** Connections refused since `refusedSince`, by whole hours. */
  readonly refused: number;
  /** The newest minutes that have telemetry, all edges together, oldest first. */
  readonly minutes: readonly MinuteFigures[];
  readonly underAttack: boolean;
}

interface FiguresRow {
  readonly players: string | null;
  readonly connections_per_second: number | null;
  readonly bandwidth_bps: string | null;
  readonly bytes: string | null;
  readonly refused: string | null;
  readonly under_attack: boolean;
  readonly minutes: readonly (readonly [number, number, number, number, number, number])[] | null;
}

interface FiguresOf {
  readonly shieldId: string;
  /** From when on traffic counts. */
  readonly month: Date;
  /** After which refusals count. */
  readonly since: Date;
  /** The earlier of both. */
  readonly first: Date;
  readonly minutes: number;
}

const figuresOf = prepared(
  (_db, of: Given<FiguresOf>) => sql<FiguresRow>`
    select live.*, hours.*, newest.*,
      exists (select from attacks where shield_id = ${of.shieldId} and ended_at is null
        and not is_over)
        as under_attack
    from (
      select sum(players) as players, sum(connections_per_second) as connections_per_second,
        sum(bandwidth_bps) as bandwidth_bps
      from live_gauges where shield_id = ${of.shieldId} and ${isRecent("at")}
    ) live, (
      select sum(bytes_up + bytes_down) filter (where hour >= ${of.month}) as bytes,
        sum(refused) filter (where hour > ${of.since}) as refused
      from traffic_hours where shield_id = ${of.shieldId} and hour >= ${of.first}
    ) hours, (
      select json_agg(json_build_array(date_part('epoch', minute), player_seconds, joins,
        pings, refused, bytes) order by minute) as minutes
      from (
        select minute, sum(player_seconds) as player_seconds, sum(joins) as joins,
          sum(pings) as pings, sum(refused) as refused, sum(bytes_up + bytes_down) as bytes
        from traffic_minutes where shield_id = ${of.shieldId}
        group by minute order by minute desc limit ${of.minutes}
      ) minutes
    ) newest
  `,
);

/** All that was counted for one shield's overview, in one round trip. */
export async function shieldFigures(
  db: Executor,
  shieldId: string,
  window: { readonly now: Date; readonly refusedSince: Date; readonly minutes: number },
): Promise<ShieldFigures> {
  const { now } = window;
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const since = new Date(window.refusedSince.getTime() - hourMs);
  const first = month < since ? month : since;
  const { minutes } = window;
  const [row] = await figuresOf(db, { shieldId, month, since, first, minutes });
  return {
    live: toLive(row),
    monthBytes: toCount(row?.bytes ?? null),
    refused: toCount(row?.refused ?? null),
    underAttack: row?.under_attack ?? false,
    minutes: (row?.minutes ?? []).map(([seconds, playerSeconds, joins, pings, refused, bytes]) => ({
      minute: new Date(seconds * 1000),
      players: Math.round(playerSeconds / 60),
      joins: toCount(joins),
      pings: toCount(pings),
      refused: toCount(refused),
      bytes: toCount(bytes),
    })),
  };
}

function toLive(
  row: Pick<FiguresRow, "players" | "connections_per_second" | "bandwidth_bps"> | undefined,
): LiveFigures {
  return {
    players: toCount(row?.players ?? null),
    connectionsPerSecond: Math.round((row?.connections_per_second ?? 0) * 100) / 100,
    bandwidthBps: toCount(row?.bandwidth_bps ?? null),
  };
}

/** Sums beyond 2^53 are no longer exact and no longer matter. */
function toCount(sum: string | number | null): number {
  return Math.min(Number(sum ?? 0), Number.MAX_SAFE_INTEGER);
}
