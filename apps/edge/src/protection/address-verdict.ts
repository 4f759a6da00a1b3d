import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { LoginRules } from "./login-verdict.ts";

/**
 * Why an address may not connect, where nothing else is known of whoever comes; undefined where it
 * may. The same order as for logins: the blacklist beats the whitelist.
 */
export function refusesAddress(
  ip: IpBytes,
  rules: Pick<LoginRules, "status" | "blacklist" | "exclusive">,
): RefusalReason | undefined {
  if (rules.status !== "active") return rules.status;
  if (rules.blacklist?.has(ip) === true) return "blacklist";
  return rules.exclusive?.has(ip) === false ? "whitelist_only" : undefined;
}
