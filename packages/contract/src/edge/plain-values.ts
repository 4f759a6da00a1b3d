/**
 * The parts of the protocol between edge and control plane that need no schema. The edge's worker threads
 * load these, and neither schemas nor zod.
 */

/** From none to the strictest; `extreme` acts whether there is an attack or not. */
export const antibotLevels = ["disabled", "low", "medium", "high", "extreme"] as const;
export type AntibotLevel = (typeof antibotLevels)[number];

/** Reasons a connection was refused; counted per shield and minute. */
export const refusalReasons = [
  "blacklist",
  "whitelist_only",
  "invalid_name",
  "invalid_version",
  "offline",
  "expired",
  "blocked",
  /** A client with Forge, where the owner wants none. */
  "forge",
  "bot_name",
  /** Did not pass verification, or there was no room for it. */
  "bot_check",
  "cooldown",
  "max_connections",
  "secure_profiles",
  "vpn",
  "packet_size",
  /** Too many logins of one address or of those around it. */
  "rate",
  /** The shield has as many players on the edge as its plan allows. */
  "full",
  /** The traffic of the month is used up. */
  "traffic_used_up",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export type Refusals = Partial<Record<RefusalReason, number>>;

export function addRefusals(a: Refusals, b: Refusals): Refusals {
  const sums = refusalReasons.map((reason) => [reason, (a[reason] ?? 0) + (b[reason] ?? 0)]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

/** Counters of one shield in one minute; see `minuteCounters`. */
export interface MinuteCounters {
  shield_id: string;
  minute: string;
  joins: number;
  pings: number;
  refused: Refusals;
  shadowed: Refusals;
  bytes_up: number;
  bytes_down: number;
  player_seconds: number;
  players_max: number;
  status_hits: number;
  challenged: number;
  verified: number;
}

/** Two reports on the same shield and minute in one: sums, except `players_max`. */
export function addMinuteCounters(a: MinuteCounters, b: MinuteCounters): MinuteCounters {
  return {
    shield_id: a.shield_id,
    minute: a.minute,
    joins: a.joins + b.joins,
    pings: a.pings + b.pings,
    refused: addRefusals(a.refused, b.refused),
    shadowed: addRefusals(a.shadowed, b.shadowed),
    bytes_up: a.bytes_up + b.bytes_up,
    bytes_down: a.bytes_down + b.bytes_down,
    player_seconds: a.player_seconds + b.player_seconds,
    players_max: Math.max(a.players_max, b.players_max),
    status_hits: a.status_hits + b.status_hits,
    challenged: a.challenged + b.challenged,
    verified: a.verified + b.verified,
  };
}

/** Names and values of one login's facts. */
export const loginFactsMax = 16;
export const factNameCharactersMax = 32;
export const factCharactersMax = 64;
