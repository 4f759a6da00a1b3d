import { z } from "zod";
import {
  antibotLevels,
  challengeGrades,
  refusalReasons,
  tryChallenges,
  unknownVersionRules,
} from "../edge/plain-values.ts";
import { serverParams, timestamp } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** The ranges of the sliders; an enabled limit may not be 0. */
export const mitigationRanges = {
  /** New logins in a second, of the shield on one edge, all its workers together. */
  max_connections: { min: 0, max: 1_000, fallback: 100 },
  /** Seconds. */
  rejoin_cooldown: { min: 0, max: 30, fallback: 5 },
  /** Bytes of one packet, until the connection is encrypted. */
  max_packet_size: { min: 5_000, max: 131_072, fallback: 8_000 },
  /** More new connections in a second than this are an attack. */
  mitigation_threshold: { min: 0, max: 100, fallback: 50 },
  /** Minutes for which mitigation stays after the last excess. */
  mitigation_duration: { min: 0, max: 30, fallback: 15 },
} as const;

export type MitigationLimit = keyof typeof mitigationRanges;

/** How long a verified player stays known, in hours: up to 30 days. */
export const verifiedHoursRange = { min: 1, max: 720, fallback: 120 } as const;

function limit(name: MitigationLimit) {
  const { min, max } = mitigationRanges[name];
  const text = `${name}.range` as const;
  return z.int(text).min(min, text).max(max, text);
}

const toggle = z.boolean("boolean.invalid");
const version = z.string("version.unknown").min(1, "version.unknown").max(16, "version.unknown");

const settings = z.object({
  minecraft_version_range_enabled: toggle,
  minecraft_versions: z
    .object({ min: version, max: version })
    .describe(
      "Names of GET /minecraft/versions, both included; swapped where min is the later one",
    ),
  max_connections_enabled: toggle,
  max_connections: limit("max_connections"),
  rejoin_cooldown_enabled: toggle,
  rejoin_cooldown: limit("rejoin_cooldown"),
  max_packet_size_enabled: toggle,
  max_packet_size: limit("max_packet_size"),
  antibot_level: z.enum(antibotLevels, "antibot_level.invalid"),
  advanced_antibot: toggle,
  mitigation_threshold_enabled: toggle,
  mitigation_threshold: limit("mitigation_threshold"),
  mitigation_duration_enabled: toggle,
  mitigation_duration: limit("mitigation_duration"),
  secure_profiles: toggle,
  anti_vpn: toggle,
  anti_forge: toggle,
  shadow_mode: toggle.describe("Players who would be refused are counted, logged and admitted"),
  verified_hours: z
    .int("verified_hours.range")
    .min(verifiedHoursRange.min, "verified_hours.range")
    .max(verifiedHoursRange.max, "verified_hours.range")
    .describe("How long a player who has passed a check joins without another one"),
  unknown_versions: z
    .enum(unknownVersionRules, "unknown_versions.invalid")
    .describe("Versions that the product does not know: checked like the nearest one, or refused"),
  text_captcha: toggle.describe(
    "The captcha also comes as text in the chat, for players with a screen reader",
  ),
});

export type MitigationSettings = z.infer<typeof settings>;

export const mitigation = settings
  .extend({
    antibot_level_max: z.enum(antibotLevels).describe("The strictest level of the plan"),
    anti_vpn_available: z.boolean().describe("False where the plan has no anti-VPN"),
    anti_vpn_has_lists: z
      .boolean()
      .describe("False where an edge that serves the shield has no VPN list: it blocks no VPN"),
    shadowed_24h: z
      .partialRecord(z.enum(refusalReasons), z.int())
      .describe("Who would have been refused in shadow mode, last 24 hours by whole hours"),
    would_challenge_24h: z
      .partialRecord(z.enum(challengeGrades), z.int())
      .describe("Who would have been checked in shadow mode, by the check, the same hours"),
  })
  .meta({ id: "Mitigation" });

export type Mitigation = z.infer<typeof mitigation>;

/** Missing keeps what is stored. */
export const updateMitigationBody = settings.partial().meta({ id: "MitigationUpdate" });

/** The values that the form shows when the settings cannot be read. */
export const mitigationFallback: MitigationSettings = {
  minecraft_version_range_enabled: false,
  minecraft_versions: { min: "1.8", max: "1.21.8" },
  max_connections_enabled: false,
  max_connections: mitigationRanges.max_connections.fallback,
  rejoin_cooldown_enabled: false,
  rejoin_cooldown: mitigationRanges.rejoin_cooldown.fallback,
  max_packet_size_enabled: false,
  max_packet_size: mitigationRanges.max_packet_size.fallback,
  antibot_level: "disabled",
  advanced_antibot: false,
  mitigation_threshold_enabled: false,
  mitigation_threshold: mitigationRanges.mitigation_threshold.fallback,
  mitigation_duration_enabled: false,
  mitigation_duration: mitigationRanges.mitigation_duration.fallback,
  secure_profiles: false,
  anti_vpn: false,
  anti_forge: false,
  shadow_mode: false,
  verified_hours: verifiedHoursRange.fallback,
  unknown_versions: "nearest",
  text_captcha: false,
};

const { minecraft_versions: _, ...fallbackWithoutVersions } = mitigationFallback;

/**
 * The settings of a shield whose owner has changed nothing: unknown players are checked during an
 * attack. The range of versions ends at the newest one in the table of versions.
 */
export const mitigationDefaults: Omit<MitigationSettings, "minecraft_versions"> = {
  ...fallbackWithoutVersions,
  antibot_level: "medium",
  mitigation_threshold_enabled: true,
  mitigation_duration_enabled: true,
};

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;

export const getMitigation = route({
  id: "mitigation.get",
  method: "GET",
  path: "/servers/:id/mitigation",
  family: "api",
  access: "member",
  area: "mitigation",
  apiKey: "read",
  summary: "Mitigation settings of a shield",
  params: serverParams,
  success: 200,
  response: mitigation,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const updateMitigation = route({
  id: "mitigation.update",
  method: "PUT",
  path: "/servers/:id/mitigation",
  family: "api",
  access: "member",
  area: "mitigation",
  apiKey: "write",
  summary: "Change mitigation settings",
  params: serverParams,
  body: updateMitigationBody,
  success: 200,
  response: z.object({ message: z.string(), revision: z.int(), mitigation }),
  errors: [...memberErrors, "plan_required", "server_not_active", "precondition_failed"],
  limits: [{ per: "shield", max: 60, windowSeconds: 60 }],
});

/** Days, with today, whose checks are counted. */
export const challengeDays = 7;

const measured = {
  passed: z.int().describe("Players who passed"),
  failed: z.int().describe("Players and bots who did not"),
  median_ms: z
    .int()
    .nullable()
    .describe("From the login to the end of the check, of half of those who passed; null if none"),
};

export const challengeTimes = z
  .object({
    days: z.literal(challengeDays),
    challenges: z.array(
      z.object({
        challenge: z.enum(challengeGrades),
        ...measured,
        versions: z
          .array(
            z.object({
              protocol: z.int().nullable().describe("Null: all others together"),
              version: z.string().nullable().describe("The newest version with this protocol"),
              ...measured,
            }),
          )
          .describe("Most frequent first"),
      }),
    ),
  })
  .meta({ id: "ChallengeTimes" });

export type ChallengeTimes = z.infer<typeof challengeTimes>;

/** Hours for which a try address works. */
export const tryHours = 24;

export const tryAddress = z
  .object({
    host: z.string().describe("The name to join by"),
    challenge: z
      .enum(tryChallenges)
      .describe("What players who join by it are asked for; `level`: what the AntiBot level asks"),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: "TryAddress" });

export type TryAddress = z.infer<typeof tryAddress>;

export const getChallenges = route({
  id: "mitigation.challenges",
  method: "GET",
  path: "/servers/:id/mitigation/challenges",
  family: "api",
  access: "member",
  area: "mitigation",
  apiKey: "read",
  summary: "How long players take to pass the checks",
  params: serverParams,
  success: 200,
  response: challengeTimes,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const getTryAddress = route({
  id: "mitigation.tryAddress",
  method: "GET",
  path: "/servers/:id/mitigation/try",
  family: "api",
  access: "member",
  area: "mitigation",
  apiKey: "read",
  summary: "The try address of a shield",
  params: serverParams,
  success: 200,
  response: z.object({ try_address: tryAddress.nullable() }),
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const startTry = route({
  id: "mitigation.startTry",
  method: "POST",
  path: "/servers/:id/mitigation/try",
  family: "api",
  access: "member",
  area: "mitigation",
  apiKey: "write",
  summary: "Create or renew the try address",
  params: serverParams,
  body: z.object({ challenge: z.enum(tryChallenges, "try_challenge.invalid") }),
  success: 200,
  response: z.object({ message: z.string(), revision: z.int(), try_address: tryAddress }),
  errors: [...memberErrors, "server_not_active"],
  limits: [{ per: "shield", max: 30, windowSeconds: 600 }],
});

export const endTry = route({
  id: "mitigation.endTry",
  method: "DELETE",
  path: "/servers/:id/mitigation/try",
  family: "api",
  access: "member",
  area: "mitigation",
  apiKey: "write",
  summary: "Remove the try address",
  params: serverParams,
  success: 200,
  response: z.object({ message: z.string(), revision: z.int().nullable() }),
  errors: [...memberErrors, "server_not_active"],
  limits: [{ per: "shield", max: 30, windowSeconds: 600 }],
});

export const mitigationRoutes = {
  getMitigation,
  updateMitigation,
  getChallenges,
  getTryAddress,
  startTry,
  endTry,
};
