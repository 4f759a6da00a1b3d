import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AddressSet } from "./address-set.ts";

export interface AddressRules {
  readonly status: "active" | "expired" | "blocked";
  /** Absent where the list is turned off. */
  readonly blacklist: AddressSet | undefined;
  /** Addresses that may join in maintenance mode; absent if every address may. */
  readonly exclusive: AddressSet | undefined;
}

/**
 * Why an address may not connect, if nothing else is known of the player; undefined if it may. The
 * order is that of logins: the blacklist beats the whitelist.
 */
export function refusesAddress(ip: IpBytes, rules: AddressRules): RefusalReason | undefined {
  if (rules.status !== "active") return rules.status;
  if (rules.blacklist?.has(ip) === true) return "blacklist";
  return rules.exclusive?.has(ip) === false ? "whitelist_only" : undefined;
}
