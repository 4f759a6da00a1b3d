import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AddressSet } from "./address-set.ts";

/** A shield's mitigation settings, prepared for the packet path. */
export interface MitigationRules extends Omit<
  MitigationConfig,
  "attack_threshold" | "attack_duration_ms" | "cookie_key"
> {
  /** The shield's id, the key in shared memory. */
  readonly shield: Uint8Array;
  /** Addresses that no rule applies to; absent if the whitelist is turned off. */
  readonly trusted: AddressSet | undefined;
  /** Whether any rule is on. */
  readonly asks: boolean;
  /** Whether rules need to know which players have pinged. */
  readonly notesPings: boolean;
}

/** Whether rules apply to a player from this address; whitelisted ones are exempt. */
export function asksAt({ asks, trusted }: MitigationRules, ip: IpBytes): boolean {
  return asks && trusted?.has(ip) !== true;
}

/** @param shieldId a UUID */
export function mitigationRules(
  shieldId: string,
  config: MitigationConfig,
  trusted: AddressSet | undefined,
): MitigationRules {
  const { attack_threshold: _, attack_duration_ms: __, cookie_key: ___, ...asked } = config;
  const levelOrNames = config.antibot !== "disabled" || config.advanced_antibot;
  const limits = [config.logins_per_second, config.rejoin_cooldown_ms, config.packet_bytes_max];
  const { secure_profiles, anti_vpn, anti_forge } = config;
  return {
    ...asked,
    shield: Uint8Array.from(Buffer.from(shieldId.replaceAll("-", ""), "hex")),
    trusted,
    asks:
      levelOrNames ||
      secure_profiles ||
      anti_vpn ||
      anti_forge ||
      limits.some((limit) => limit !== null),
    notesPings: levelOrNames,
  };
}
