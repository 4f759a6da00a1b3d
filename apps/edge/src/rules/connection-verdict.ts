import { refusesAddress } from "./address-verdict.ts";
import type { LoginAttempt, ProtectionState, Refusal } from "./login-attempt.ts";
import type { LoginRules } from "./login-verdict.ts";
import { countConnection } from "./count-verdict.ts";
import { connectionContext, mitigateConnection } from "./mitigate.ts";

export interface ConnectionRefusal extends Refusal {
  /** It would have been refused without shadow mode. */
  readonly shadow: boolean;
}

/**
 * Why a connection whose game is not parsed is refused, in the order of logins: lists, rates,
 * logins in a second, VPN lists. Undefined if it may go on.
 */
export function refusesConnection(
  facts: Pick<LoginAttempt, "ip" | "attack">,
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): ConnectionRefusal | undefined {
  const reason = refusesAddress(facts.ip, rules);
  if (reason !== undefined) return { reason, facts: {}, shadow: false };
  const { mitigation } = rules;
  if (!mitigation.asks || mitigation.trusted?.has(facts.ip) === true) return undefined;
  const connection = connectionContext(facts, mitigation, state, nowMs);
  const refusal = mitigateConnection(connection) ?? countConnection(connection);
  return refusal && { ...refusal, shadow: mitigation.shadow };
}
