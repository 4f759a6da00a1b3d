import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { VersionRange } from "@palisade/minecraft-protocol/java/versions";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type AddressRules, refusesAddress } from "./address-verdict.ts";
import { traceCode } from "./trace-code.ts";

export interface LoginFacts {
  readonly ip: IpBytes;
  readonly nameValid: boolean;
  /** As the client says. */
  readonly protocol: number;
  /** Number of the connection since the edge started, and a random number of that start. */
  readonly connection: number;
  readonly bootSeed: number;
}

export interface LoginRules extends AddressRules {
  readonly versions: VersionRange;
}

export type Verdict =
  | { readonly kind: "forward" }
  | { readonly kind: "refuse"; readonly reason: RefusalReason; readonly trace: string };

const forward: Verdict = { kind: "forward" };

/**
 * Whether a player may join. The blacklist beats the whitelist; maintenance mode
 * goes by the whitelist's entries, whether or not that list is turned on for
 * trust, so that turning trust off never locks the owner out.
 */
export function decideLogin(facts: LoginFacts, rules: LoginRules): Verdict {
  const reason = refusal(facts, rules);
  if (reason === undefined) return forward;
  return { kind: "refuse", reason, trace: traceCode(facts.bootSeed, facts.connection) };
}

function refusal(facts: LoginFacts, rules: LoginRules): RefusalReason | undefined {
  const reason = refusesAddress(facts.ip, rules);
  if (reason !== undefined) return reason;
  if (!facts.nameValid) return "invalid_name";
  return rules.versions.has(facts.protocol) ? undefined : "invalid_version";
}
