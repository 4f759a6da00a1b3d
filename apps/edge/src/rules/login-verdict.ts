import type { VersionRange } from "@palisade/minecraft-protocol/java/versions";
import { type AddressRules, refusesAddress } from "./address-verdict.ts";
import type { LoginAttempt, ProtectionState, Refusal } from "./login-attempt.ts";
import { takesName } from "./counting-rules.ts";
import { type Counting, mitigate, mitigateBeforeCookie } from "./mitigate.ts";
import { asksAt, type MitigationRules } from "./mitigation-rules.ts";
import type { Challenge } from "./shared/verified-players.ts";

export interface LoginRules extends AddressRules {
  readonly versions: VersionRange;
  readonly mitigation: MitigationRules;
}

interface Counted {
  /** Undefined: nothing. */
  readonly counting?: Counting | undefined;
}

/** `countVerdict` still has to count it. */
export type Verdict = Counted &
  (
    | {
        readonly kind: "forward";
        /** Why the player would have been refused without shadow mode. */
        readonly shadowed?: Refusal;
        /** The name is in use until `LoginMemory.releaseName`. */
        readonly holdsName: boolean;
      }
    /** The player must pass the challenge before the connection reaches a backend. */
    | { readonly kind: "verify"; readonly challenge: Challenge; readonly holdsName: boolean }
    | { readonly kind: "refuse"; readonly refusal: Refusal }
  );

const forward: Verdict = { kind: "forward", holdsName: false };
const nothing: Refusal["facts"] = {};

/**
 * Whether a player may join. It reads and changes nothing. The blacklist beats the whitelist, which
 * beats all mitigation; maintenance mode goes by the whitelist's entries, whether or not that list is
 * turned on for trust, so that turning trust off never locks the owner out. Shadow mode softens
 * mitigation alone.
 */
export function decideLogin(
  facts: LoginAttempt,
  rules: LoginRules,
  state: ProtectionState,
  nowMs: number,
): Verdict {
  const reason = refusalReason(facts, rules);
  if (reason !== undefined) return { kind: "refuse", refusal: { reason, facts: nothing } };
  const { mitigation } = rules;
  if (!asksAt(mitigation, facts.ip)) return forward;
  const { refusal, challenge, counting } = mitigate(facts, mitigation, state, nowMs);
  if (refusal !== undefined) {
    if (!mitigation.shadow) return { kind: "refuse", refusal, counting };
    return { kind: "forward", shadowed: refusal, holdsName: false, counting };
  }
  const holdsName = counting !== undefined && takesName(counting.login);
  if (challenge === undefined || mitigation.shadow) return { kind: "forward", holdsName, counting };
  return { kind: "verify", challenge, holdsName, counting };
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
): Refusal | undefined {
  const reason = refusalReason(facts, rules);
  if (reason !== undefined) return { reason, facts: nothing };
  return mitigateBeforeCookie(facts, rules.mitigation, state, nowMs);
}

function refusalReason(facts: LoginAttempt, rules: LoginRules): Refusal["reason"] | undefined {
  const reason = refusesAddress(facts.ip, rules);
  if (reason !== undefined) return reason;
  if (!facts.nameValid) return "invalid_name";
  return rules.versions.has(facts.protocol) ? undefined : "invalid_version";
}
