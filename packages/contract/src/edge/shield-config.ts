import { z } from "zod";

/**
 * A shield's compiled configuration as an edge runs it, schema version 1.
 * Self-contained and strict: an unknown key or value is refused, so that an
 * edge never half-applies what it does not understand.
 */

/** Versions of this schema an edge may announce, newest first. The api compiles for each of them. */
export const configSchemaVersions = [1] as const;
export const configSchemaVersion = configSchemaVersions[0];

/** Encoded size of one shield's configuration; larger ones are refused by api and edge alike. */
export const shieldConfigBytesMax = 2 * 1024 * 1024;

const hostName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9.-]+$/);
const text = z.string().max(2048);
const addressOrRange = z.string().min(2).max(64);

export const balancingMethods = ["round_robin", "least_connections", "ip_hash", "random"] as const;

const backend = z.strictObject({
  id: z.uuid(),
  /** IP address or host name as the owner gave it. */
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535),
});

const backendGroup = z.strictObject({
  id: z.uuid(),
  name: z.string().max(255),
  default: z.boolean(),
  balancing: z.enum(balancingMethods),
  proxy_protocol: z.boolean(),
  backends: z.array(backend).max(64),
});

export const shieldConfig = z.strictObject({
  schema: z.literal(1),
  shield_id: z.uuid(),
  revision: z.int().min(1),
  status: z.enum(["active", "expired", "blocked"]),
  /** The CNAME label, fully qualified, lower case, no trailing dot. */
  label: hostName,
  domains: z
    .array(
      z.strictObject({
        name: hostName,
        /** Proven domains win over unproven ones, which are compiled in development only. */
        proven: z.boolean(),
        claimed_at: z.string().max(40),
      }),
    )
    .max(200),
  groups: z.array(backendGroup).min(1).max(64),
  lists: z.strictObject({
    blacklist_enabled: z.boolean(),
    whitelist_enabled: z.boolean(),
    whitelist_only: z.boolean(),
    blacklist: z.array(addressOrRange).max(10_000),
    whitelist: z.array(addressOrRange).max(10_000),
  }),
  /** Texts with § codes and placeholders; defaults are already filled in. */
  messages: z.strictObject({
    blacklist: text,
    whitelist: text,
    offline_kick: text,
    offline_version: text,
    offline_motd: z.tuple([text, text]),
  }),
  status_cache: z.strictObject({
    /** An answer younger than this is served as it is. */
    fresh_ms: z.int().min(0).max(3_600_000),
    /** Up to this age it is served while a new one is fetched. */
    stale_ms: z.int().min(0).max(86_400_000),
  }),
});

export type ShieldConfig = z.infer<typeof shieldConfig>;
export type BackendGroupConfig = ShieldConfig["groups"][number];
