import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AddressSet } from "./address-set.ts";

/** What a shield's owner asks of players, prepared for the packet path. */
export interface MitigationRules extends Omit<
  MitigationConfig,
  "attack_threshold" | "attack_duration_ms" | "cookie_key"
> {
  /** The shield's id, by which shared memory is asked. */
  readonly shield: Uint8Array;
  /** Who is asked nothing; absent where the whitelist is turned off. */
  readonly trusted: AddressSet | undefined;
  /** Whether anything is asked of anybody. */
  readonly asks: boolean;
  /** Whether it is of use to know who has pinged. */
  readonly notesPings: boolean;
}

/** Whether something may be asked of a player from there; the whitelisted are asked nothing. */
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
