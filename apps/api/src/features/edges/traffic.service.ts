import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { isRecent } from "./liveness.service.ts";

const hourMs = 3_600_000;

export interface LiveFigures {
  readonly players: number;
  readonly connectionsPerSecond: number;
  readonly bandwidthBps: number;
}

/** What edges that are online report right now, per shield; shields without a report are absent. */
export async function liveFigures(
  db: Executor,
  shieldIds: readonly string[],
): Promise<Map<string, LiveFigures>> {
  if (shieldIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("live_gauges")
    .select(({ fn }) => [
      "shield_id",
      fn.sum<string>("players").as("players"),
      fn.sum<number>("connections_per_second").as("connections_per_second"),
      fn.sum<string>("bandwidth_bps").as("bandwidth_bps"),
    ])
    .where("shield_id", "in", shieldIds)
    .where(isRecent("at"))
    .groupBy("shield_id")
    .execute();
  return new Map(
    rows.map((row) => [
      row.shield_id,
      {
        players: toCount(row.players),
        connectionsPerSecond: Math.round(row.connections_per_second * 100) / 100,
        bandwidthBps: toCount(row.bandwidth_bps),
      },
    ]),
  );
}

export interface HourFigures {
  /** Mean players; of the current hour, so far. */
  readonly players: number;
  /** Sum over its seconds of players online. */
  readonly playerSeconds: number;
  readonly refused: number;
}

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
  const rows = await db
    .selectFrom("traffic_hours")
    .select(["shield_id", "hour", "player_seconds", "refused"])
    .where("shield_id", "in", shieldIds)
    .where("hour", ">=", new Date((current - 23) * hourMs))
    .where("hour", "<=", new Date(current * hourMs))
    .execute();
  for (const row of rows) {
    const hour = Math.floor(row.hour.getTime() / hourMs);
    const seconds = hour === current ? Math.max(60, (now.getTime() % hourMs) / 1000) : 3600;
    const day = days.get(row.shield_id);
    if (day === undefined) continue;
    day[hour - current + 23] = {
      players: Number(row.player_seconds) / seconds,
      playerSeconds: Number(row.player_seconds),
      refused: toCount(row.refused),
    };
  }
  return days;
}

/** Bytes relayed both ways since the first of `now`'s month, UTC. */
export async function monthTraffic(db: Executor, shieldId: string, now: Date): Promise<number> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const row = await db
    .selectFrom("traffic_hours")
    .select(sql<string | null>`sum(bytes_up + bytes_down)`.as("bytes"))
    .where("shield_id", "=", shieldId)
    .where("hour", ">=", month)
    .executeTakeFirstOrThrow();
  return toCount(row.bytes);
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

export interface MinuteFigures {
  readonly minute: Date;
  readonly players: number;
  readonly joins: number;
  readonly pings: number;
  readonly refused: number;
  readonly bytes: number;
}

/** The newest minutes that have telemetry, all edges together, oldest first. */
export async function lastMinutes(
  db: Executor,
  shieldId: string,
  limit: number,
): Promise<MinuteFigures[]> {
  const rows = await db
    .selectFrom("traffic_minutes")
    .select(({ fn }) => [
      "minute",
      fn.sum<string>("player_seconds").as("player_seconds"),
      fn.sum<string>("joins").as("joins"),
      fn.sum<string>("pings").as("pings"),
      fn.sum<string>("refused").as("refused"),
      sql<string>`sum(bytes_up + bytes_down)`.as("bytes"),
    ])
    .where("shield_id", "=", shieldId)
    .groupBy("minute")
    .orderBy("minute", "desc")
    .limit(limit)
    .execute();
  return rows.toReversed().map((row) => ({
    minute: row.minute,
    players: Math.round(Number(row.player_seconds) / 60),
    joins: toCount(row.joins),
    pings: toCount(row.pings),
    refused: toCount(row.refused),
    bytes: toCount(row.bytes),
  }));
}

/** Sums beyond 2^53 are no longer exact and no longer matter. */
function toCount(sum: string | null): number {
  return Math.min(Number(sum ?? 0), Number.MAX_SAFE_INTEGER);
}
