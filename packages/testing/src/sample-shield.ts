import type { ShieldConfig } from "@palisade/contract/edge/shield-config";

const id = (n: number): string => `0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** Id of the sample shield. */
export const sampleShieldId = id(1);

/** A backend on loopback. */
export function sampleBackend(port: number, n = 1): SampleBackend {
  return {
    id: id(100 + n),
    host: "127.0.0.1",
    port,
    proven: true,
    bedrock_port: null,
    bedrock_proxy: "off",
  };
}

type SampleBackend = ShieldConfig["groups"][number]["backends"][number];

/** The default backend group, for Minecraft, used by all edges. */
export function sampleGroup(...backends: SampleBackend[]) {
  return {
    id: id(50),
    name: "Main",
    default: true,
    game: "minecraft" as const,
    location: null,
    port: null,
    balancing: "round_robin" as const,
    proxy_protocol: false,
    backends,
  } satisfies ShieldConfig["groups"][number];
}

/** A domain whose ownership DNS has proven. */
export function sampleDomain(name: string): ShieldConfig["domains"][number] {
  return { name, proven: true, claimed_at: "2026-01-01T00:00:00.000Z", group_id: null };
}

/** A configuration as the api compiles it: an active shield with the domain play.example.org. */
export function sampleShield(change: Partial<ShieldConfig> = {}): ShieldConfig {
  return {
    schema: 7,
    shield_id: sampleShieldId,
    revision: 1,
    status: "active",
    label: "abcdefghijkl.gs.localhost",
    domains: [sampleDomain("play.example.org")],
    groups: [sampleGroup()],
    shares: { players: null, half_open_logins: null, bytes_per_second: null },
    bedrock: { ports: [], only_in: [] },
    lists: {
      blacklist_enabled: true,
      whitelist_enabled: false,
      whitelist_only: false,
      blacklist: [],
      whitelist: [],
      blacklist_names: [],
      whitelist_names: [],
      expires: {},
    },
    versions: { min: "1.8", max: null },
    mitigation: {
      shadow: false,
      logins_per_second: null,
      rejoin_cooldown_ms: null,
      packet_bytes_max: null,
      antibot: "disabled",
      advanced_antibot: false,
      attack_threshold: null,
      attack_duration_ms: 900_000,
      secure_profiles: false,
      anti_vpn: false,
      anti_forge: false,
      cookie_key: Buffer.alloc(32, 7).toString("base64"),
      network_rules: { countries: [], networks: [] },
      verified_ms: 5 * 86_400_000,
      unknown_versions: "nearest",
      text_captcha: false,
      try_label: null,
      try_challenge: "level",
      try_until: 0,
    },
    messages: {
      blacklist: "§cBlacklisted, {player} {trace}",
      whitelist: "Maintenance",
      offline_kick: "Offline {player}",
      offline_version: "Offline",
      offline_motd: ["§cThe server", "is down"],
      offline_hover: "",
      invalid_version: "Wrong version, 1.8 and later",
      forge: "No mods",
      rejoin: "Please rejoin",
      bot_check: "Checking",
      cooldown: "Wait {seconds}",
      max_connections: "Too many",
      secure_profiles: "Unsigned",
      vpn: "No VPN",
      bot_name: "Bad name",
    },
    offline_icon: null,
    status_cache: { enabled: true, fresh_ms: 5_000, stale_ms: 60_000, purge: 0 },
    ...change,
  };
}
