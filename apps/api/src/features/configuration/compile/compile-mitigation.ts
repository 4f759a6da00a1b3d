import { usualChallenges } from "@palisade/contract/edge/earlier-shield-config";
import type { NetworkAction, TryChallenge } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig, ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { MitigationSettings } from "@palisade/contract/http/mitigation";
import type { Entitlements } from "#src/features/plans/entitlements.service.ts";

/** Versions let in where the owner has set no range: before 1.8 they must be allowed explicitly. */
const usualVersions = { min: "1.8", max: null } as const;

export function compileVersions(settings: MitigationSettings): ShieldConfig["versions"] {
  return settings.minecraft_version_range_enabled ? settings.minecraft_versions : usualVersions;
}

/** The name at which every player is checked, for a day. */
export interface StoredTryAddress {
  readonly host: string;
  readonly challenge: TryChallenge;
  readonly expires_at: Date;
}

/** Rules by country and network as they are stored. */
export type NetworkRuleRows = readonly {
  readonly country: string | null;
  readonly asn: string | null;
  readonly action: NetworkAction;
  readonly expires_at: Date | null;
}[];

/** Ended rules too: edges ignore them by their own clocks. */
function compileNetworkRules(rows: NetworkRuleRows): MitigationConfig["network_rules"] {
  const rules = rows.map(({ country, asn, action, expires_at }) => {
    return { country, asn, action, until: expires_at?.getTime() ?? null };
  });
  return {
    countries: rules.flatMap(({ country, action, until }) =>
      country === null ? [] : [{ country, action, until }],
    ),
    networks: rules.flatMap(({ asn, action, until }) =>
      asn === null ? [] : [{ asn: Number(asn), action, until }],
    ),
  };
}

/** The owner's settings, limited to what the plan includes. */
export function compileMitigation(
  settings: MitigationSettings,
  plan: Entitlements,
  {
    cookieKey,
    tryAddress,
    networkRules,
  }: {
    readonly cookieKey: string;
    readonly tryAddress: StoredTryAddress | undefined;
    readonly networkRules: NetworkRuleRows;
  },
): MitigationConfig {
  const limit = (enabled: boolean, value: number) => (enabled ? value : null);
  return {
    shadow: settings.shadow_mode,
    logins_per_second: limit(settings.max_connections_enabled, settings.max_connections),
    rejoin_cooldown_ms: limit(settings.rejoin_cooldown_enabled, settings.rejoin_cooldown * 1_000),
    packet_bytes_max: limit(settings.max_packet_size_enabled, settings.max_packet_size),
    antibot: plan.antibotWithin(settings.antibot_level),
    advanced_antibot: settings.advanced_antibot,
    attack_threshold: limit(settings.mitigation_threshold_enabled, settings.mitigation_threshold),
    attack_duration_ms: settings.mitigation_duration_enabled
      ? settings.mitigation_duration * 60_000
      : 0,
    secure_profiles: settings.secure_profiles,
    anti_vpn: settings.anti_vpn && plan.antiVpn,
    anti_forge: settings.anti_forge,
    cookie_key: cookieKey,
    ...usualChallenges,
    network_rules: compileNetworkRules(networkRules),
    verified_ms: settings.verified_hours * 3_600_000,
    unknown_versions: settings.unknown_versions,
    text_captcha: settings.text_captcha,
    ...(tryAddress !== undefined && {
      try_label: tryAddress.host,
      try_challenge: tryAddress.challenge,
      try_until: tryAddress.expires_at.getTime(),
    }),
  };
}
