import type { VersionRange } from "@palisade/minecraft-protocol/java/versions";
import { type AddressRules, refusesAddress } from "./address-verdict.ts";
import type { LoginAttempt, ProtectionState, Refusal } from "./login-attempt.ts";
import { mitigate, mitigateBeforeCookie } from "./mitigate.ts";
import { asksAt, type MitigationRules } from "./mitigation-rules.ts";
import type { Challenge } from "./shared/verified-players.ts";
import { traceCode } from "./trace-code.ts";

export interface LoginRules extends AddressRules {
  readonly versions: VersionRange;
  readonly mitigation: MitigationRules;
}

export type Verdict =
  | {
      readonly kind: "forward";
      /** Why the player would have been refused without shadow mode. */
      readonly shadowed?: Refusal;
      /** The name is in use until `LoginMemory.releaseName`. */
      readonly holdsName: boolean;
    }
  /** The player must pass the challenge before the connection reaches a backend. */
  | { readonly kind: "verify"; readonly challenge: Challenge; readonly holdsName: boolean }
  | RefusedLogin;

export type RefusedLogin = { readonly kind: "refuse"; readonly trace: string } & Refusal;

const forward: Verdict = { kind: "forward", holdsName: false };
const forwardNamed: Verdict = { kind: "forward", holdsName: true };
const nothing: Refusal["facts"] = {};

/**
 * Whether a player may join. The blacklist beats the whitelist, which beats all mitigation;
 * maintenance mode goes by the whitelist's entries, whether or not that list is turned on for
 * trust, so that turning trust off never locks the owner out. Shadow mode softens mitigation alone.
 */
export function decideLogin(
  facts: LoginAttempt,
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): Verdict {
  const reason = refusalReason(facts, rules);
  if (reason !== undefined) return refuse(facts, { reason, facts: nothing });
  const { mitigation } = rules;
  if (!asksAt(mitigation, facts.ip)) return forward;
  const found = mitigate(facts, mitigation, state, nowMs);
  if (found.kind === "refuse") {
    const { refusal } = found;
    if (!mitigation.shadow) return refuse(facts, refusal);
    return { kind: "forward", shadowed: refusal, holdsName: false };
  }
  if (found.challenge === undefined || mitigation.shadow)
    return found.holdsName ? forwardNamed : forward;
  return { kind: "verify", challenge: found.challenge, holdsName: found.holdsName };
}

/**
 * Why a login is refused whatever cookie its player may bring; undefined if that depends on the
 * cookie.
 */
export function decideBeforeCookie(
  facts: LoginAttempt,
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): RefusedLogin | undefined {
  const reason = refusalReason(facts, rules);
  if (reason !== undefined) return refuse(facts, { reason, facts: nothing });
  const refusal = mitigateBeforeCookie(facts, rules.mitigation, state, nowMs);
  return refusal && refuse(facts, refusal);
}

function refuse(facts: LoginAttempt, refusal: Refusal): RefusedLogin {
  const trace = traceCode(facts.bootSeed, facts.connection);
  const { reason, facts: why, seconds } = refusal;
  // Not spread: a flood is refused here.
  if (seconds === undefined) return { kind: "refuse", trace, reason, facts: why };
  return { kind: "refuse", trace, reason, facts: why, seconds };
}

function refusalReason(facts: LoginAttempt, rules: LoginRules): Refusal["reason"] | undefined {
  const reason = refusesAddress(facts.ip, rules);
  if (reason !== undefined) return reason;
  if (!facts.nameValid) return "invalid_name";
  return rules.versions.has(facts.protocol) ? undefined : "invalid_version";
}
