import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AddressSet } from "./address-set.ts";

export interface AddressRules {
  readonly status: "active" | "expired" | "blocked";
  /** Absent where the list is turned off. */
  readonly blacklist: AddressSet | undefined;
  /** Who may join in maintenance mode; absent where everybody may. */
  readonly exclusive: AddressSet | undefined;
}

/**
 * Why an address may not connect, where nothing else is known of whoever comes; undefined where it
 * may. The same order as for logins: the blacklist beats the whitelist.
 */
export function refusesAddress(ip: IpBytes, rules: AddressRules): RefusalReason | undefined {
  if (rules.status !== "active") return rules.status;
  if (rules.blacklist?.has(ip) === true) return "blacklist";
  return rules.exclusive?.has(ip) === false ? "whitelist_only" : undefined;
}
