/**
 * The parts of the protocol between edge and control plane that need no schema. The edge's worker threads
 * load these, and neither schemas nor zod.
 */

/** From none to the strictest; `extreme` acts whether there is an attack or not. */
export const antibotLevels = ["disabled", "low", "medium", "high", "extreme"] as const;
export type AntibotLevel = (typeof antibotLevels)[number];

/** Challenges that a player can pass, weakest first. */
export const challengeGrades = ["protocol", "gravity", "captcha", "premium"] as const;
export type ChallengeGrade = (typeof challengeGrades)[number];

/** The check that the try address of a shield asks for; `level`: the one that the AntiBot level asks unknown players. */
export const tryChallenges = ["level", "gravity", "captcha"] as const;
export type TryChallenge = (typeof tryChallenges)[number];

/** The action of a rule for a country or a network. */
export const networkActions = ["allow", "block", "challenge"] as const;
export type NetworkAction = (typeof networkActions)[number];

/** The treatment of players of versions that no table has. */
export const unknownVersionRules = ["nearest", "refuse"] as const;

/** The key of an entry's end in a configuration, as short as it can be; names are in lower case. */
export function endKey(list: "blacklist" | "whitelist", entry: string): string {
  return `${list === "blacklist" ? "b" : "w"} ${entry}`;
}

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
  /** A rule of the owner blocks the country or the network. */
  "network",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export type Refusals = Partial<Record<RefusalReason, number>>;

export function addRefusals(a: Refusals, b: Refusals): Refusals {
  const sums = refusalReasons.map((reason) => [reason, (a[reason] ?? 0) + (b[reason] ?? 0)]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

/** Counts by challenge. */
export type SparedChecks = Partial<Record<ChallengeGrade, number>>;

export function addSparedChecks(a: SparedChecks, b: SparedChecks): SparedChecks {
  const sums = challengeGrades.map((each) => [each, (a[each] ?? 0) + (b[each] ?? 0)]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

/**
 * Signals that a login may be a bot's. Their points, and why, are in login-rules. An edge numbers them
 * by their place here, in one process; reports name them.
 */
export const suspicionSignals = [
  "no_ping",
  "early_bytes",
  "split_packet",
  "late_login",
  "odd_host",
  "no_key",
  "odd_key",
  "unknown_version",
  "unusual_version",
  "tool_name",
  "random_name",
  "alike_name",
  "network_failures",
  "network_flood",
  "system_failures",
  "source_failed",
  "hosting_network",
  "anonymous_network",
  "unusual_country",
  "brand_mismatch",
  "settings_order",
] as const;
export type SuspicionSignal = (typeof suspicionSignals)[number];

/** Counters of one shield in one minute; see `minuteCounters`. */
export interface MinuteCounters {
  shield_id: string;
  minute: string;
  joins: number;
  pings: number;
  refused: Refusals;
  shadowed: Refusals;
  /** Absent where there are none. */
  would_challenge?: SparedChecks | undefined;
  bytes_up: number;
  bytes_down: number;
  player_seconds: number;
  players_max: number;
  status_hits: number;
  challenged: number;
  verified: number;
  /** How long players took to pass; absent where none was checked. */
  challenges?: ChallengeCounts[] | undefined;
  /** The part of these counts that players of Bedrock have; absent where there is none. */
  bedrock?: BedrockCounts | undefined;
  /** Absent in reports of earlier edges, and where there is nothing in it. */
  details?: MinuteDetails | undefined;
}

/** Editions of Minecraft. */
export const editions = ["java", "bedrock"] as const;
export type Edition = (typeof editions)[number];

interface BedrockCounts {
  joins: number;
  player_seconds: number;
}

/**
 * Checks of one grade and protocol: `gravity:769`, or `gravity:` for all other protocols. The counts are
 * those who passed, by how long it took (`challengeBucketsMs` and one for all above), then those who
 * failed.
 */
export type ChallengeCounts = [key: string, counts: number[]];

/** Upper ends of the times to pass, in milliseconds. */
export const challengeBucketsMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;
export const challengeCountsLength = challengeBucketsMs.length + 2;

/** Protocols of all grades that one minute of a shield tells apart. */
export const challengeKeysMax = 16;

/** The counts of both, by key; keys beyond the limit join the others of their grade. */
export function addChallengeCounts(
  a: readonly ChallengeCounts[],
  b: readonly ChallengeCounts[],
): ChallengeCounts[] {
  const sums = new Map(a.map(([key, counts]) => [key, [...counts]]));
  for (const [key, counts] of b) {
    const isRoom = sums.has(key) || sums.size < challengeKeysMax;
    const place = isRoom ? key : key.slice(0, key.indexOf(":") + 1);
    const before = sums.get(place) ?? [];
    sums.set(
      place,
      counts.map((count, n) => count + (before[n] ?? 0)),
    );
  }
  return [...sums];
}

/** See `minuteDetails`. */
export interface MinuteDetails {
  attack_bytes: number;
  connections_max: number;
  checks: number;
  checks_up: number;
  latency_ms: number;
  tops: [key: string, joins: number][];
  sketch: number[];
}

/** Keys in `tops` of one minute; joins beyond count for `p:`, `c:` and `n:`, all others. */
export const topsPerMinuteMax = 96;

/** Logins of one shield that an edge logs in a second in any case. */
export const loginsPerShieldMax = 20;
export const networkNameCharactersMax = 64;

/** Registers of the sketch of players: HyperLogLog, off by 1.6 % as a rule. */
export const sketchIndexBits = 12;
export const sketchRegisters = 1 << sketchIndexBits;
/** Highest rank of a register. */
export const sketchRankMax = 15;

/** The details of both: sums, highest values, and the players of both. */
export function addDetails(a: MinuteDetails, b: MinuteDetails): MinuteDetails {
  return {
    attack_bytes: a.attack_bytes + b.attack_bytes,
    connections_max: Math.max(a.connections_max, b.connections_max),
    checks: a.checks + b.checks,
    checks_up: a.checks_up + b.checks_up,
    latency_ms: a.latency_ms + b.latency_ms,
    tops: addTops(a.tops, b.tops),
    sketch: mergeSketches(a.sketch, b.sketch),
  };
}

function addTops(a: MinuteDetails["tops"], b: MinuteDetails["tops"]): MinuteDetails["tops"] {
  const sums = new Map(a);
  for (const [key, joins] of b) {
    const isRoom = sums.has(key) || sums.size < topsPerMinuteMax;
    const place = isRoom ? key : key.slice(0, 2);
    sums.set(place, (sums.get(place) ?? 0) + joins);
  }
  return [...sums];
}

/** The highest rank of each register; an entry is 16 * register + rank. */
function mergeSketches(a: readonly number[], b: readonly number[]): number[] {
  const highest = new Map(a.map((entry) => [entry >> 4, entry]));
  for (const entry of b) {
    const register = entry >> 4;
    if (entry > (highest.get(register) ?? -1)) highest.set(register, entry);
  }
  return [...highest.values()];
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
    ...withSparedChecks(a.would_challenge, b.would_challenge),
    bytes_up: a.bytes_up + b.bytes_up,
    bytes_down: a.bytes_down + b.bytes_down,
    player_seconds: a.player_seconds + b.player_seconds,
    players_max: Math.max(a.players_max, b.players_max),
    status_hits: a.status_hits + b.status_hits,
    challenged: a.challenged + b.challenged,
    verified: a.verified + b.verified,
    ...withChallenges(a.challenges, b.challenges),
    ...withBedrock(a.bedrock, b.bedrock),
    ...withDetails(a.details, b.details),
  };
}

function withSparedChecks(
  a: SparedChecks | undefined,
  b: SparedChecks | undefined,
): Pick<MinuteCounters, "would_challenge"> {
  if (a === undefined && b === undefined) return {};
  return { would_challenge: addSparedChecks(a ?? {}, b ?? {}) };
}

function withChallenges(
  a: ChallengeCounts[] | undefined,
  b: ChallengeCounts[] | undefined,
): Pick<MinuteCounters, "challenges"> {
  if (a === undefined && b === undefined) return {};
  return { challenges: addChallengeCounts(a ?? [], b ?? []) };
}

function withBedrock(
  a: BedrockCounts | undefined,
  b: BedrockCounts | undefined,
): Pick<MinuteCounters, "bedrock"> {
  if (a === undefined || b === undefined) return (a ?? b) === undefined ? {} : { bedrock: a ?? b };
  return {
    bedrock: {
      joins: a.joins + b.joins,
      player_seconds: a.player_seconds + b.player_seconds,
    },
  };
}

function withDetails(
  a: MinuteDetails | undefined,
  b: MinuteDetails | undefined,
): Pick<MinuteCounters, "details"> {
  if (a === undefined || b === undefined) return (a ?? b) === undefined ? {} : { details: a ?? b };
  return { details: addDetails(a, b) };
}

/** Signals of one login; more than there are, for those of later edges. */
export const signalsPerLoginMax = 32;

/** Names and values of one login's facts. */
export const loginFactsMax = 16;
export const factNameCharactersMax = 32;
export const factCharactersMax = 64;
