import { z } from "zod";
import {
  balancingMethods,
  hostName,
  listsConfig,
  shieldConfig,
  type ShieldConfig,
} from "./shield-config.ts";

/** Schema version 1: one group in use, exact domains, the first texts. */

const text = z.string().max(2048);

export const shieldConfig1 = z.strictObject({
  schema: z.literal(1),
  shield_id: z.uuid(),
  revision: z.int().min(1),
  status: z.enum(["active", "expired", "blocked"]),
  label: hostName,
  domains: z
    .array(z.strictObject({ name: hostName, proven: z.boolean(), claimed_at: z.string().max(40) }))
    .max(200),
  groups: z
    .array(
      z.strictObject({
        id: z.uuid(),
        name: z.string().max(255),
        default: z.boolean(),
        balancing: z.enum(balancingMethods),
        proxy_protocol: z.boolean(),
        backends: z
          .array(
            z.strictObject({
              id: z.uuid(),
              host: z.string().min(1).max(253),
              port: z.int().min(1).max(65_535),
            }),
          )
          .max(64),
      }),
    )
    .min(1)
    .max(64),
  lists: listsConfig,
  messages: z.strictObject({
    blacklist: text,
    whitelist: text,
    offline_kick: text,
    offline_version: text,
    offline_motd: z.tuple([text, text]),
  }),
  status_cache: z.strictObject({
    fresh_ms: z.int().min(0).max(3_600_000),
    stale_ms: z.int().min(0).max(86_400_000),
  }),
});

export type ShieldConfig1 = z.infer<typeof shieldConfig1>;

/** What an edge that knows only version 1 can do of it: wildcards and other games are left out. */
export function toSchema1(config: ShieldConfig): ShieldConfig1 {
  const { messages, status_cache } = config;
  return {
    schema: 1,
    shield_id: config.shield_id,
    revision: config.revision,
    status: config.status,
    label: config.label,
    domains: config.domains
      .filter(({ name }) => !name.startsWith("*."))
      .map(({ name, proven, claimed_at }) => ({ name, proven, claimed_at })),
    groups: config.groups
      .filter(({ game }) => game === "minecraft")
      .map(({ id, name, default: isDefault, balancing, proxy_protocol, backends }) => ({
        id,
        name,
        default: isDefault,
        balancing,
        proxy_protocol,
        backends,
      })),
    lists: config.lists,
    messages: {
      blacklist: messages.blacklist,
      whitelist: messages.whitelist,
      offline_kick: messages.offline_kick,
      offline_version: messages.offline_version,
      offline_motd: messages.offline_motd,
    },
    status_cache: status_cache.enabled
      ? { fresh_ms: status_cache.fresh_ms, stale_ms: status_cache.stale_ms }
      : { fresh_ms: 0, stale_ms: 0 },
  };
}

/** A record of version 1, from the disk of an edge that was upgraded, as version 2 says it. */
export function fromSchema1(config: ShieldConfig1): ShieldConfig {
  const { messages } = config;
  return {
    ...config,
    schema: 2,
    domains: config.domains.map((domain) => ({ ...domain, group_id: null })),
    groups: config.groups.map((group) => ({
      ...group,
      game: "minecraft",
      location: null,
      port: null,
    })),
    versions: { min: "1.8", max: null },
    messages: {
      ...messages,
      offline_hover: "",
      invalid_version: "§cThis server needs another version of Minecraft.",
      forge: messages.offline_kick,
      rejoin: messages.offline_kick,
      bot_check: messages.offline_kick,
      cooldown: messages.offline_kick,
      max_connections: messages.offline_kick,
      secure_profiles: messages.offline_kick,
      vpn: messages.offline_kick,
      bot_name: messages.offline_kick,
    },
    offline_icon: null,
    status_cache: { enabled: true, ...config.status_cache, purge: 0 },
  };
}

/** A configuration of either version, as the newest says it. */
export const anyShieldConfig = z.preprocess((config) => {
  const before = shieldConfig1.safeParse(config);
  return before.success ? fromSchema1(before.data) : config;
}, shieldConfig);
