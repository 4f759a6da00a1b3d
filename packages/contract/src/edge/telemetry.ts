import { z } from "zod";

/**
 * What an edge reports. A report is numbered per start of the edge
 * (`boot_id`, `seq` from 1); the api counts each number once, so an edge may
 * send a report again until it is answered.
 */

/** Reasons a connection was refused; counted per shield and minute. */
export const refusalReasons = [
  "blacklist",
  "whitelist_only",
  "invalid_name",
  "invalid_version",
  "offline",
  "expired",
  "blocked",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Counters of one shield in one minute (UTC, start of the minute). Sums, except `players_max`. */
export const minuteCounters = z.object({
  shield_id: z.uuid(),
  minute: z.iso.datetime(),
  joins: count,
  pings: count,
  refused: z.partialRecord(z.enum(refusalReasons), count),
  bytes_up: count,
  bytes_down: count,
  /** Sum over the minute's seconds of players online, and how many seconds: their quotient is the mean. */
  player_seconds: count,
  players_max: count,
  /** Of `pings`: answered without asking a backend. */
  status_hits: count.default(0),
});
export type MinuteCounters = z.infer<typeof minuteCounters>;

/** Two reports on the same shield and minute in one: sums, except `players_max`. */
export function addMinuteCounters(a: MinuteCounters, b: MinuteCounters): MinuteCounters {
  const refused = { ...a.refused };
  for (const reason of refusalReasons) {
    const count = (a.refused[reason] ?? 0) + (b.refused[reason] ?? 0);
    if (count > 0) refused[reason] = count;
  }
  return {
    shield_id: a.shield_id,
    minute: a.minute,
    joins: a.joins + b.joins,
    pings: a.pings + b.pings,
    refused,
    bytes_up: a.bytes_up + b.bytes_up,
    bytes_down: a.bytes_down + b.bytes_down,
    player_seconds: a.player_seconds + b.player_seconds,
    players_max: Math.max(a.players_max, b.players_max),
    status_hits: a.status_hits + b.status_hits,
  };
}

/** Gauges of one shield at the time of sending. Shields without players or traffic may be left out. */
export const liveGauge = z.object({
  shield_id: z.uuid(),
  players: count,
  connections_per_second: z.number().min(0).max(1e9),
  bandwidth_bps: count,
});
export type LiveGauge = z.infer<typeof liveGauge>;

/** Why the last attempt to reach a backend failed. */
export const backendErrors = [
  "refused",
  "timeout",
  "unresolved",
  /** An address no edge may dial. */
  "forbidden",
  /** Connected, and what answers is no Minecraft status. */
  "not_minecraft",
] as const;
export type BackendError = (typeof backendErrors)[number];

/** What an edge knows of one backend, at the time of sending. */
export const backendHealth = z.object({
  shield_id: z.uuid(),
  backend_id: z.uuid(),
  /** `unknown` until the first check or join. */
  state: z.enum(["up", "down", "unknown"]),
  /** Joined there through this edge. */
  players: count,
  /** Of the last check that succeeded. */
  latency_ms: z.int().min(0).max(60_000).nullable(),
  last_error: z.enum(backendErrors).nullable(),
  /** When `state` last changed, by the edge's clock. */
  changed_at: z.iso.datetime().nullable(),
});
export type BackendHealth = z.infer<typeof backendHealth>;

export const telemetryReport = z.object({
  boot_id: z.uuid(),
  seq: z.int().min(1),
  minutes: z.array(minuteCounters).max(10_000),
  live: z.array(liveGauge).max(10_000),
  /** Backends whose health changed since the last report, and now and then all that were checked. */
  backends: z.array(backendHealth).max(10_000).default([]),
});
export type TelemetryReport = z.infer<typeof telemetryReport>;
