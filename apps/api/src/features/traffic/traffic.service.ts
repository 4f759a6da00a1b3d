import {
  type SparedChecks,
  challengeGrades,
  refusalReasons,
  type Refusals,
} from "@palisade/contract/edge/plain-values";
import type { Executor } from "#src/platform/database/db.ts";
import {
  selectHours,
  selectLiveGauges,
  selectRefusedTotal,
  selectShadowCounts,
  selectShieldStats,
  selectStatusTotals,
  type StatsRow,
} from "./traffic.repository.ts";

const hourMs = 3_600_000;

export interface LiveStats {
  readonly players: number;
  readonly connectionsPerSecond: number;
  readonly bandwidthBps: number;
}

/** The current values that online edges report, per shield; shields without a report are absent. */
export async function liveStats(
  db: Executor,
  shieldIds: readonly string[],
): Promise<Map<string, LiveStats>> {
  if (shieldIds.length === 0) return new Map();
  const rows = await selectLiveGauges(db, { shieldIds });
  return new Map(rows.map((row) => [row.shield_id, toLive(row)]));
}

export interface HourStats {
  /** Mean players; for the current hour, so far. */
  readonly players: number;
  /** Players online, summed over the seconds of the hour. */
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
): Promise<Map<string, HourStats[]>> {
  const current = Math.floor(now.getTime() / hourMs);
  const empty = Array.from({ length: 24 }, () => ({ players: 0, playerSeconds: 0, refused: 0 }));
  const days = new Map(shieldIds.map((id) => [id, [...empty]]));
  if (shieldIds.length === 0) return days;
  const first = new Date((current - 23) * hourMs);
  const rows = await selectHours(db, { shieldIds, first, last: new Date(current * hourMs) });
  const currentSeconds = Math.max(60, (now.getTime() % hourMs) / 1000);
  for (const { shield_id, starts, player_seconds, refused } of rows) {
    const day = days.get(shield_id);
    if (day === undefined) continue;
    for (const [index, start] of starts.entries()) {
      const hour = (start * 1000) / hourMs;
      const playerSeconds = player_seconds[index] ?? 0;
      const place = hour - current + 23;
      const players = playerSeconds / (hour === current ? currentSeconds : 3600);
      const known = day[place] ?? { players: 0, playerSeconds: 0, refused: 0 };
      day[place] = {
        players: known.players + players,
        playerSeconds: known.playerSeconds + playerSeconds,
        refused: toCount(known.refused + (refused[index] ?? 0)),
      };
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
  return toCount(await selectRefusedTotal(db, shieldIds, afterHour(since)));
}

export interface SparedLogins {
  /** By the reason for which they would have been refused. */
  readonly refused: Refusals;
  /** By the challenge that they would have had to pass. */
  readonly challenged: SparedChecks;
}

/** Logins that shadow mode let through since `since`, by whole hours. */
export async function sparedSince(
  db: Executor,
  shieldId: string,
  since: Date,
): Promise<SparedLogins> {
  const rows = await selectShadowCounts(db, shieldId, afterHour(since));
  const countsOf = (prefix: string, known: readonly string[]): Record<string, number> =>
    Object.fromEntries(
      rows
        .map(({ key, count }) => [key.slice(2), toCount(count), key.slice(0, 2)] as const)
        .filter(([name, , kind]) => kind === prefix && known.includes(name)),
    );
  return { refused: countsOf("s:", refusalReasons), challenged: countsOf("w:", challengeGrades) };
}

export interface StatusCacheStats {
  readonly pings: number;
  /** Pings answered from the cache, without asking a backend. */
  readonly hits: number;
}

/** Server-list pings since `since`, by whole hours, and how many of them the cache answered. */
export async function statusCacheStats(
  db: Executor,
  shieldId: string,
  since: Date,
): Promise<StatusCacheStats> {
  const row = await selectStatusTotals(db, shieldId, afterHour(since));
  return { pings: toCount(row.pings), hits: toCount(row.hits) };
}

export interface MinuteStats {
  readonly minute: Date;
  readonly players: number;
  readonly joins: number;
  readonly pings: number;
  readonly refused: number;
  readonly bytes: number;
}

export interface ShieldStats {
  readonly live: LiveStats;
  /** Bytes relayed both ways since the first of `now`'s month, UTC. */
  readonly monthBytes: number;
  /** Connections refused since `refusedSince`, by whole hours. */
  readonly refused: number;
  /** The newest minutes that have telemetry, all edges together, oldest first. */
  readonly minutes: readonly MinuteStats[];
  readonly underAttack: boolean;
}

/** Everything an overview shows of one shield, in one round trip. */
export async function shieldStats(
  db: Executor,
  shieldId: string,
  window: { readonly now: Date; readonly refusedSince: Date; readonly minutes: number },
): Promise<ShieldStats> {
  const { now } = window;
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const since = afterHour(window.refusedSince);
  const first = month < since ? month : since;
  const { minutes } = window;
  const [row] = await selectShieldStats(db, { shieldId, month, since, first, minutes });
  return {
    live: toLive(row),
    monthBytes: toCount(row?.bytes ?? null),
    refused: toCount(row?.refused ?? null),
    underAttack: row?.under_attack ?? false,
    minutes: (row?.minutes ?? []).map(([seconds, playerSeconds, joins, pings, refused, bytes]) => ({
      minute: new Date(seconds * 1000),
      players: Math.round((playerSeconds ?? 0) / 60),
      joins: toCount(joins),
      pings: toCount(pings),
      refused: toCount(refused),
      bytes: toCount(bytes),
    })),
  };
}

function toLive(
  row: Pick<StatsRow, "players" | "connections_per_second" | "bandwidth_bps"> | undefined,
): LiveStats {
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

/** Traffic is summed by whole hours: the hour that contains `since` counts too. */
function afterHour(since: Date): Date {
  return new Date(since.getTime() - hourMs);
}
