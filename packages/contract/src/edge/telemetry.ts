import { z } from "zod";
import { attackDetail } from "./attack-detail.ts";
import {
  antibotLevels,
  challengeCountsLength,
  challengeGrades,
  challengeKeysMax,
  factCharactersMax,
  factNameCharactersMax,
  loginFactsMax,
  type MinuteCounters,
  type MinuteDetails,
  refusalReasons,
  signalsPerLoginMax,
  sketchRegisters,
  topsPerMinuteMax,
} from "./plain-values.ts";

/**
 * A report of an edge. It is numbered per start of the edge
 * (`boot_id`, `seq` from 1); the api counts each number once, so an edge may
 * send a report again until it is answered.
 */

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const refusals = z.partialRecord(z.enum(refusalReasons), count);

const detailsOfMinute = z.object({
  /** Received from connections that were refused, and sent to them. Not billed. */
  attack_bytes: count,
  /** Most logins in one second. */
  connections_max: count,
  /** Checks of the backends' health, those that succeeded, and the sum of their latencies. */
  checks: count,
  checks_up: count,
  latency_ms: count,
  /**
   * Joins by protocol of Java (`p:769`), country (`c:DE`) and network (`n:64496 Example Telecom`). Without a
   * name: all others. Countries and networks only where the edge has databases of them.
   */
  tops: z
    .array(
      z.tuple([
        z
          .string()
          .regex(/^(?:p:(?:-?\d{1,10})?|c:(?:[A-Z]{2})?|n:(?:\d{1,10} [\x20-\x7e]{0,64})?)$/),
        count,
      ]),
    )
    .max(topsPerMinuteMax + 3),
  /** HyperLogLog of the players who joined: 16 * register + rank. */
  sketch: z
    .array(
      z
        .int()
        .min(0)
        .max(sketchRegisters * 16 - 1),
    )
    .max(sketchRegisters),
}) satisfies z.ZodType<MinuteDetails>;

/** Counters of one shield in one minute (UTC, start of the minute). Sums, except `players_max`. */
export const minuteCounters = z.object({
  shield_id: z.uuid(),
  minute: z.iso.datetime(),
  joins: count,
  pings: count,
  refused: refusals,
  /** In shadow mode: players that would have been refused and were admitted. Not for billing. */
  shadowed: refusals.default({}),
  /** In shadow mode: players that would have had to pass this challenge and were admitted. */
  would_challenge: z.partialRecord(z.enum(challengeGrades), count).optional(),
  bytes_up: count,
  bytes_down: count,
  /** Sum over the minute's seconds of players online, and how many seconds: their quotient is the mean. */
  player_seconds: count,
  players_max: count,
  /** The part of `pings` that was answered without asking a backend. */
  status_hits: count.default(0),
  /** Unknown players the edge has begun to verify, and those who passed. */
  challenged: count.default(0),
  verified: count.default(0),
  /** By grade and protocol; see `ChallengeCounts`. */
  challenges: z
    .array(
      z.tuple([
        z.string().regex(/^(?:protocol|gravity|captcha|premium):\d{0,10}$/),
        z.array(count).length(challengeCountsLength),
      ]),
    )
    .max(challengeKeysMax + challengeGrades.length)
    .optional()
    // Counts of a later edge that are not known here must not cost the report.
    .catch(undefined),
  bedrock: z.object({ joins: count, player_seconds: count }).optional(),
  details: detailsOfMinute.optional(),
}) satisfies z.ZodType<MinuteCounters>;

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

/** The state of a backend's port for Bedrock, from pings and from players who joined. */
const bedrockHealth = z.object({
  /** UDP, as configured. */
  port: z.int().min(1).max(65_535),
  state: z.enum(["up", "down", "unknown"]),
  /** Joined there through this edge; the backend's `players` include them. */
  players: count,
  /** From the last ping that was answered. */
  latency_ms: z.int().min(0).max(60_000).nullable(),
  last_error: z.enum(backendErrors).nullable(),
  changed_at: z.iso.datetime().nullable(),
});
export type BedrockHealth = z.infer<typeof bedrockHealth>;

/** The state of one backend as the edge knows it when it sends the report. */
export const backendHealth = z.object({
  shield_id: z.uuid(),
  backend_id: z.uuid(),
  /** `unknown` until the first check or join. */
  state: z.enum(["up", "down", "unknown"]),
  /** Joined there through this edge. */
  players: count,
  /** From the last check that succeeded. */
  latency_ms: z.int().min(0).max(60_000).nullable(),
  last_error: z.enum(backendErrors).nullable(),
  /** The group sends no PROXY header, and the backend answers only with one. */
  expects_proxy: z.boolean().default(false),
  /** The address, as configured, that has answered as Minecraft; null while it has not. */
  answered_at: z
    .object({ host: z.string().min(1).max(253), port: z.int().min(1).max(65_535) })
    .nullable()
    .default(null),
  /** When `state` last changed, by the edge's clock. */
  changed_at: z.iso.datetime().nullable(),
  /**
   * How it answers players of Bedrock; null where it takes none, or the shield has no port. Earlier edges leave
   * it out.
   */
  bedrock: bedrockHealth.nullish(),
});
export type BackendHealth = z.infer<typeof backendHealth>;

/** A data URI. Its bytes are still to be checked, with `isFavicon`. */
export const favicon = z
  .string()
  .max(24_000)
  .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/);

/** The icon in a backend's status, reported when it has changed. */
export const backendFavicon = z.object({
  shield_id: z.uuid(),
  backend_id: z.uuid(),
  /** Null: the backend's status has none. */
  favicon: favicon.nullable(),
});
export type BackendFavicon = z.infer<typeof backendFavicon>;

/** Keeps a report with all its other parts below the 4 MiB that the api accepts. */
export const faviconsPerReportMax = 32;

/**
 * An attack as one edge has it, from its start on in every report until its end was told. Reports
 * of one `id` replace each other.
 */
export const attackReport = z.object({
  id: z.uuid(),
  /** Null: on the edge as a whole. */
  shield_id: z.uuid().nullable(),
  started_at: z.iso.datetime(),
  /** Null while it lasts. */
  ended_at: z.iso.datetime().nullable(),
  /** Logins in a second. */
  peak_per_second: count,
  /** Datagrams of Bedrock in a second that belong to no player; left out where they were no attack. */
  datagrams_peak: count.optional(),
  /** Different /24 and /64 networks, about. */
  sources: count,
  refused: refusals,
  /** The level that acts, where it was relaxed because verified players had failed in numbers. */
  relaxed_to: z.enum(antibotLevels).nullable(),
  /** Left out of attacks on the edge as a whole, and while more attacks run than an edge describes. */
  detail: attackDetail.optional(),
});
export type AttackReport = z.infer<typeof attackReport>;

/**
 * The outcome of a login. `left`: the player left, or had to make room, before their verdict.
 * `shadow`: it would have been refused for `verdict`, and was admitted; with `joined` it would have been
 * challenged.
 */
export const loginVerdicts = ["joined", "verified", "left", ...refusalReasons] as const;
export type LoginVerdict = (typeof loginVerdicts)[number];

/**
 * Facts of a login that the rules read and its entry lacks, so that the api can replay the log under
 * other settings. The usual is left out: most logins have none of these.
 */
const loggedAttempt = z.object({
  /** Announced size of Login Start, where it is larger than any client's. */
  frame_bytes: count.optional(),
  forge: z.literal(true).optional(),
  /** The client is older than 1.7. */
  legacy: z.literal(true).optional(),
  invalid_name: z.literal(true).optional(),
  /** When the profile key that the client has shown expires, in milliseconds since 1970. */
  profile_key: z.union([z.literal("unreadable"), z.int()]).optional(),
  /** The strongest challenge that the player had passed before. */
  passed: z.enum(challengeGrades).optional(),
  /** The challenge that the player was asked to pass. */
  asked: z.enum(challengeGrades).optional(),
  /** In shadow mode: the challenge that the player would have been asked to pass. */
  would_challenge: z.enum(challengeGrades).optional(),
  /** How suspicious an unknown player was, from 1 to 100; left out where nothing was. */
  score: z.int().min(1).max(100).optional(),
  /** The points of each signal; a later edge may have signals that are not known here. */
  parts: z
    .record(z.string().regex(/^[a-z_]{1,32}$/), z.int().min(0).max(100))
    .refine((parts) => Object.keys(parts).length <= signalsPerLoginMax)
    .optional(),
  /** The network had not pinged the shield, or the edge did not note pings at the time. */
  ping: z.enum(["none", "unknown"]).optional(),
  /** Why the address is in a list of VPNs, whether or not the owner blocks them. */
  vpn: z
    .record(z.string().max(factNameCharactersMax), z.string().max(factCharactersMax))
    .optional(),
  /** The shield was under attack; names the level that the owner's was relaxed to. */
  attack: z.union([z.literal(true), z.enum(antibotLevels)]).optional(),
  /** Milliseconds from the verdict to its outcome, where they are more than a quarter of a second. */
  waited_ms: z.int().min(0).max(600_000).optional(),
});
export type LoggedAttempt = z.infer<typeof loggedAttempt>;

/** One login for the owner's log: all in quiet times, a sample under a flood. */
export const loginEntry = z.object({
  at: z.iso.datetime(),
  shield_id: z.uuid(),
  /** The code that a refused player reads. */
  trace: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{8}$/),
  verdict: z.enum(loginVerdicts),
  shadow: z.boolean(),
  ip: z.union([z.ipv4(), z.ipv6()]),
  /** As the client says, cleaned of all but printable ASCII. */
  player: z.string().max(16),
  protocol: z.int().min(-0x8000_0000).max(0x7fff_ffff),
  host: z.string().max(255),
  /** The facts behind the verdict, e.g. `{ "limit": "20/s" }`. */
  facts: z
    .record(z.string().max(factNameCharactersMax), z.string().max(factCharactersMax))
    .refine((facts) => Object.keys(facts).length <= loginFactsMax),
  /** Earlier edges leave it out. A value of a later edge that is not known here counts as left out. */
  attempt: loggedAttempt.optional().catch(undefined),
});
export type LoginEntry = z.infer<typeof loginEntry>;

export const telemetryReport = z.object({
  boot_id: z.uuid(),
  seq: z.int().min(1),
  minutes: z.array(minuteCounters).max(10_000),
  live: z.array(liveGauge).max(10_000),
  /** Backends whose health changed since the last report, and now and then all that were checked. */
  backends: z.array(backendHealth).max(10_000).default([]),
  favicons: z.array(backendFavicon).max(faviconsPerReportMax).default([]),
  attacks: z.array(attackReport).max(1_000).default([]),
  /** Counted once with the report, as the minutes are. */
  logins: z.array(loginEntry).max(2_000).default([]),
  /** Whether the edge has a VPN list in use; without one it blocks no VPN. Edges before this field leave it out. */
  vpn_lists: z.boolean().optional(),
  /** The edge has counted all of every minute from this one up to the report. Earlier edges leave it out. */
  counted_from: z.iso.datetime().optional(),
  /**
   * The last minute of which the edge keeps no counts for later reports; before `counted_from` if there
   * is none. Without it, the minute of the report.
   */
  counted_to: z.iso.datetime().optional(),
  /** Whether the edge has a database of countries, and one of networks. */
  has_countries: z.boolean().optional(),
  has_networks: z.boolean().optional(),
});
export type TelemetryReport = z.infer<typeof telemetryReport>;
