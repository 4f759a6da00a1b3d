import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/shield-config";
import {
  cooldown,
  countRest,
  countSecond,
  countSources,
  loginsPerSecond,
  nameInUse,
  sourceRates,
  takesName,
} from "./counting-rules.ts";
import { type LoginContext, type ConnectionContext, refusalOf } from "./rule-context.ts";
import type { LoginAttempt, ProtectionState, Refusal } from "./login-attempt.ts";
import { botName, forge, packetSize, pingBeforeJoin, secureProfile, vpn } from "./login-rules.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import { canPass, requiredChallenge, strongestChallenge } from "./required-challenge.ts";
import type { Challenge } from "./shared/verified-players.ts";

export type MitigationVerdict =
  | { readonly kind: "refuse"; readonly refusal: Refusal }
  /** `challenge`: what the player still has to pass. */
  | {
      readonly kind: "admit";
      readonly challenge: Challenge | undefined;
      readonly holdsName: boolean;
    };

type Rule = (login: LoginContext) => Refusal | undefined;

/** In the order in which they decide; the first refusal is the one told. */
const order: readonly Rule[] = [
  packetSize,
  sourceRates,
  loginsPerSecond,
  cooldown,
  nameInUse,
  forge,
  vpn,
  botName,
  pingBeforeJoin,
  secureProfile,
];

/**
 * The verdict of a shield's mitigation on a login. Rules only read; a login that goes on to a
 * backend or to verification is counted at the end, so that refused ones take no place in a limit
 * and prolong no cooldown. Counting decides again: of two threads that saw the last free place, one
 * gets it.
 */
export function mitigate(
  facts: LoginAttempt,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): MitigationVerdict {
  const level = actingLevel(rules.antibot, facts);
  const passed = strongestChallenge(
    facts.passed,
    state.verified.passedChallenge(facts.name, facts.ip, nowMs),
  );
  const login: LoginContext = { facts, rules, state, nowMs, level, passed };
  for (const rule of order) {
    const refusal = rule(login);
    if (refusal !== undefined) return { kind: "refuse", refusal };
  }
  const asked = requiredChallenge(login);
  if (asked !== undefined && !canPass(asked, login)) {
    return { kind: "refuse", refusal: refusalOf("bot_check", "version", String(facts.protocol)) };
  }
  return count(login, asked);
}

/**
 * The refusal of a login that no cookie could change, for players who are still to be asked for
 * theirs.
 */
export function mitigateBeforeCookie(
  facts: LoginAttempt,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): Refusal | undefined {
  const level = actingLevel(rules.antibot, facts);
  const known: ConnectionContext = { facts, rules, state, nowMs, level, passed: "premium" };
  return sourceRates(known) ?? loginsPerSecond(known);
}

/** The refusal of a connection whose game is not parsed, by its address alone. */
export function mitigateConnection(
  facts: Pick<LoginAttempt, "ip" | "attack">,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): Refusal | undefined {
  const level = actingLevel(rules.antibot, facts);
  const connection: ConnectionContext = { facts, rules, state, nowMs, level, passed: undefined };
  return (
    sourceRates(connection) ??
    loginsPerSecond(connection) ??
    vpn(connection) ??
    countSources(connection) ??
    countSecond(connection)
  );
}

function actingLevel(level: AntibotLevel, { attack }: Pick<LoginAttempt, "attack">): AntibotLevel {
  const { relaxedTo } = attack;
  if (relaxedTo === null || !attack.isUnderAttack) return level;
  return antibotLevels.indexOf(relaxedTo) < antibotLevels.indexOf(level) ? relaxedTo : level;
}

/** Admits the login and counts it, if there is still room. */
function count(login: LoginContext, asked: Challenge | undefined): MitigationVerdict {
  const holdsName = takesName(login);
  const refusal = countSources(login) ?? countSecond(login) ?? countRest(login, holdsName);
  if (refusal !== undefined) return { kind: "refuse", refusal };
  return { kind: "admit", challenge: asked, holdsName };
}
