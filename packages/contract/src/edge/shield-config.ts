import { z } from "zod";
import {
  antibotLevels,
  networkActions,
  tryChallenges,
  unknownVersionRules,
} from "./plain-values.ts";

/**
 * A shield's compiled configuration as an edge runs it, schema version 7.
 * Self-contained and strict: an unknown key or value is refused, so that an
 * edge never half-applies what it does not understand.
 */

/** Versions of this schema an edge may announce, newest first. The api compiles for each of them. */
export const configSchemaVersions = [7, 6] as const;
export const configSchemaVersion = configSchemaVersions[0];

/** Encoded size of one shield's configuration; larger ones are refused by api and edge alike. */
export const shieldConfigBytesMax = 2 * 1024 * 1024;

export const hostName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9.-]+$/);
const claimedName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(\*\.)?[a-z0-9.-]+$/);
const text = z.string().max(2048);

/** One check of the whole: a schema per entry costs more than all else a configuration holds. */
const addressesOrRanges = z.custom<string[]>(
  (value) => Array.isArray(value) && value.length <= 10_000 && value.every(isEntry),
);

function isEntry(value: unknown): boolean {
  return typeof value === "string" && value.length >= 2 && value.length <= 64;
}

/** As the edge compares them: in lower case. */
const lowerCaseNames = z.custom<string[]>(
  (value) => Array.isArray(value) && value.length <= 10_000 && value.every(isLowerCaseName),
);

function isLowerCaseName(value: unknown): boolean {
  return typeof value === "string" && /^[a-z0-9_]{1,16}$/.test(value);
}

/** Ends of entries, in epoch ms; entries of both lists together. */
const endsOfEntries = z.custom<Record<string, number>>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).length <= 20_000 &&
    Object.entries(value).every(([entry, end]) => entry.length <= 64 && Number.isSafeInteger(end)),
);

export const balancingMethods = ["round_robin", "least_connections", "ip_hash", "random"] as const;

/** Ports that a shield may have for Bedrock. */
export const bedrockPortsMax = 5;

/** `minecraft`: by the host of the handshake. `other`: any TCP, on a port of its own, not parsed. */
export const games = ["minecraft", "other"] as const;

/** Which datagrams to a backend begin with a PROXY protocol v2 header, of each player. */
export const bedrockProxyModes = ["off", "first", "every"] as const;

const backend = z.strictObject({
  id: z.uuid(),
  /** IP address or host name as the owner gave it. */
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535),
  /** It has answered as Minecraft, or its owner has proved it: players may be relayed to it. */
  proven: z.boolean(),
  /** The UDP port on which the backend takes players of Bedrock; null where it takes none. */
  bedrock_port: z.int().min(1).max(65_535).nullable(),
  bedrock_proxy: z.enum(bedrockProxyModes),
});

/** The UDP ports on which edges take players of Bedrock for the shield. */
const bedrockConfig = z.strictObject({
  /** Empty where Bedrock is off or not in the plan. */
  ports: z.array(z.int().min(1).max(65_535)).max(bedrockPortsMax),
  /**
   * Ports among them that have another owner in other locations: only edges of these locations open
   * them. Ports that are not named here have one owner everywhere.
   */
  only_in: z
    .array(
      z.strictObject({
        port: z.int().min(1).max(65_535),
        locations: z.array(z.string().max(64)).max(200),
      }),
    )
    .max(bedrockPortsMax),
});

/** The most that one edge does for the shield; null for the default of the edge. */
const shares = z.strictObject({
  /** At once. */
  players: z.int().min(1).nullable(),
  /** Logins whose backend is being dialled, at once. */
  half_open_logins: z.int().min(1).nullable(),
  /** Both ways together. */
  bytes_per_second: z.int().min(1).nullable(),
});

const backendGroup = z.strictObject({
  id: z.uuid(),
  name: z.string().max(255),
  default: z.boolean(),
  game: z.enum(games),
  /** The location whose edges use the group; null for all. */
  location: z.string().max(64).nullable(),
  /** Game `other` only: the port every edge takes its connections on. */
  port: z.int().min(1).max(65_535).nullable(),
  balancing: z.enum(balancingMethods),
  proxy_protocol: z.boolean(),
  backends: z.array(backend).max(64),
});

export const listsConfig = z.strictObject({
  blacklist_enabled: z.boolean(),
  whitelist_enabled: z.boolean(),
  whitelist_only: z.boolean(),
  blacklist: addressesOrRanges,
  whitelist: addressesOrRanges,
  blacklist_names: lowerCaseNames,
  whitelist_names: lowerCaseNames,
  /** By `endKey`, in ms since 1970: when entries end that do not hold always. */
  expires: endsOfEntries,
});

/** Rules of one shield, of either kind. */
const networkRulesMax = 500;

/** Rules by the country or the network of an address; the rule of a network wins over its country's. */
const networkRule = {
  action: z.enum(networkActions),
  /** Epoch ms from which on the rule does nothing; null: it has no end. */
  until: z.int().nullable(),
};
const networkRules = z.strictObject({
  countries: z
    .array(
      z.strictObject({
        /** ISO 3166-1 alpha-2. */
        country: z.string().regex(/^[A-Z]{2}$/),
        ...networkRule,
      }),
    )
    .max(networkRulesMax),
  networks: z
    .array(
      z.strictObject({
        /** Number of the autonomous system. */
        asn: z.int().min(0).max(0xffff_ffff),
        ...networkRule,
      }),
    )
    .max(networkRulesMax),
});

/** Characters of `offline_icon`; a 64x64 PNG of noise takes some 22,000. */
export const offlineIconCharactersMax = 24_000;

/** The checks that players pass before they join. A limit that is null is off. */
export const mitigationConfig = z.strictObject({
  /** Players that it would refuse are counted, logged and admitted. */
  shadow: z.boolean(),
  /** New logins in a second, all workers of the edge together. */
  logins_per_second: z.int().min(1).max(1_000).nullable(),
  /** Between two joins of one name or address. */
  rejoin_cooldown_ms: z.int().min(1_000).max(30_000).nullable(),
  /** Size of one packet before encryption, in bytes. */
  packet_bytes_max: z.int().min(5_000).max(131_072).nullable(),
  antibot: z.enum(antibotLevels),
  /** Names, bursts, ping before join, settings and brand. */
  advanced_antibot: z.boolean(),
  /** Logins in a second above which it is an attack. */
  attack_threshold: z.int().min(1).max(100).nullable(),
  /** For which an attack lasts after the last excess. */
  attack_duration_ms: z.int().min(0).max(1_800_000),
  secure_profiles: z.boolean(),
  anti_vpn: z.boolean(),
  anti_forge: z.boolean(),
  /** Base64 of 32 bytes, on all edges the same: signs what a verified player brings back. */
  cookie_key: z.base64().length(44).nullable(),
  network_rules: networkRules,
  /** How long a player who passed a challenge stays known. */
  verified_ms: z
    .int()
    .min(3_600_000)
    .max(30 * 86_400_000),
  /** Versions that no table has: treated as the nearest older one, or refused. */
  unknown_versions: z.enum(unknownVersionRules),
  /** Players may ask for the captcha as text without distortion. */
  text_captcha: z.boolean(),
  /** A name that always challenges, fully qualified as `label`; null while the owner wants none. */
  try_label: hostName.nullable(),
  /** The check that players who come by it are asked for. */
  try_challenge: z.enum(tryChallenges),
  /** When the name stops to work, in epoch ms; 0 without a name. */
  try_until: z.int().min(0),
});
export type MitigationConfig = z.infer<typeof mitigationConfig>;

export const shieldConfig = z.strictObject({
  schema: z.literal(7),
  shield_id: z.uuid(),
  revision: z.int().min(1),
  /** Without `active` no new player joins; those who are on stay. */
  status: z.enum(["active", "expired", "blocked", "traffic_used_up"]),
  /** The CNAME label, fully qualified, lower case, no trailing dot. */
  label: hostName,
  domains: z
    .array(
      z.strictObject({
        /** A host, or `*.` and a host: every name below it. */
        name: claimedName,
        /** Proven domains win over unproven ones, which are compiled in development only. */
        proven: z.boolean(),
        claimed_at: z.string().max(40),
        /** The Minecraft group its players go to; null: the edge's own choice. */
        group_id: z.uuid().nullable(),
      }),
    )
    .max(200),
  groups: z.array(backendGroup).min(1).max(64),
  shares,
  bedrock: bedrockConfig,
  lists: listsConfig,
  /** Versions let in, both ends included, by their names in the version table; null: no upper end. */
  versions: z.strictObject({ min: z.string().max(16), max: z.string().max(16).nullable() }),
  mitigation: mitigationConfig,
  /** Texts with § codes and placeholders; defaults are already filled in. */
  messages: z.strictObject({
    blacklist: text,
    whitelist: text,
    offline_kick: text,
    offline_version: text,
    offline_motd: z.tuple([text, text]),
    /** Shown over the player count in place of players' names, line by line; empty for none. */
    offline_hover: text,
    invalid_version: text,
    forge: text,
    rejoin: text,
    bot_check: text,
    cooldown: text,
    max_connections: text,
    secure_profiles: text,
    vpn: text,
    bot_name: text,
  }),
  /** `data:image/png;base64,` of 64x64 pixels, shown while no backend answers. */
  offline_icon: z
    .string()
    .max(offlineIconCharactersMax)
    .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/)
    .nullable(),
  status_cache: z.strictObject({
    /** Off: every ping reaches a backend, up to the edge's cap per backend. */
    enabled: z.boolean(),
    /** An answer younger than this is served as it is. */
    fresh_ms: z.int().min(0).max(3_600_000),
    /** Up to this age it is served while a new one is fetched. */
    stale_ms: z.int().min(0).max(86_400_000),
    /** Counts the owner's purges: answers kept under an earlier number are forgotten. */
    purge: z.int().min(0),
  }),
});

export type ShieldConfig = z.infer<typeof shieldConfig>;
export type BackendGroupConfig = ShieldConfig["groups"][number];
