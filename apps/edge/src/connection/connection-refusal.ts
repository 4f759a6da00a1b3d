import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { refusesConnection } from "@palisade/login-rules/login-verdict";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Mitigation } from "./connection-deps.ts";
import { countArrival } from "./login.ts";
import { countRefusal } from "./login-kicks.ts";

export interface ConnectionVerdict {
  /** Undefined if the connection may go on. */
  readonly reason: RefusalReason | undefined;
  /** Details for the owner's log. */
  readonly facts: Readonly<Record<string, string>>;
}

const nothing: ConnectionVerdict["facts"] = {};

/**
 * Whether a connection that names no player is refused; it and its refusal are counted.
 *
 * @param isNamedLater as of `refusesConnection`
 */
export function connectionRefusal(
  shield: CompiledShield,
  ip: IpBytes,
  mitigation: Mitigation,
  isNamedLater = false,
): ConnectionVerdict {
  const facts = { ip, attack: countArrival(ip, shield, mitigation), isNamedLater };
  const refusal = refusesConnection(facts, shield.rules, mitigation, mitigation.nowMs());
  if (refusal?.shadow === true) shield.counters.wouldRefuse(refusal.reason);
  if (refusal === undefined || refusal.shadow) return { reason: undefined, facts: nothing };
  countRefusal(shield, refusal.reason, mitigation);
  return { reason: refusal.reason, facts: refusal.facts };
}
