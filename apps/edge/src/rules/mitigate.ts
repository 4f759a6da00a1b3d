import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/plain-values";
import { cooldown, loginsPerSecond, nameInUse, sourceRates } from "./counting-rules.ts";
import { type LoginContext, type ConnectionContext, refusalOf } from "./rule-context.ts";
import type { LoginAttempt, ProtectionState, Refusal } from "./login-attempt.ts";
import {
  botName,
  forge,
  notesName,
  packetSize,
  pingBeforeJoin,
  secureProfile,
  vpn,
} from "./login-rules.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import { canPass, requiredChallenge, strongestChallenge } from "./required-challenge.ts";
import type { Challenge } from "./shared/verified-players.ts";

/** Counts that `countVerdict` makes later. */
export interface Counting {
  readonly login: LoginContext;
  /** The login goes on, and takes places in limits. */
  readonly takesPlaces: boolean;
}

export interface MitigationVerdict {
  /** Undefined: the login goes on. */
  readonly refusal?: Refusal;
  /** The challenge that the player still has to pass. */
  readonly challenge?: Challenge | undefined;
  /** Undefined: nothing. */
  readonly counting?: Counting;
}

type Rule = (login: LoginContext) => Refusal | undefined;

/** In the order in which they decide; the first refusal is the one told. */
const first: readonly Rule[] = [
  packetSize,
  sourceRates,
  loginsPerSecond,
  cooldown,
  nameInUse,
  forge,
  vpn,
];
/** The name of a login that has come as far as these is noted, whatever they decide. */
const second: readonly Rule[] = [botName, pingBeforeJoin, secureProfile];

/**
 * The verdict of a shield's mitigation on a login. It only reads. A login that goes on to a backend or
 * to verification is counted by `countVerdict`, so that refused ones take no place in a limit and
 * prolong no cooldown.
 */
export function mitigate(
  facts: LoginAttempt,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): MitigationVerdict {
  const login = contextOf(facts, rules, state, nowMs);
  const early = refusalBy(first, login);
  if (early !== undefined) return { refusal: early };
  const refusal = refusalBy(second, login);
  const asked = refusal === undefined ? requiredChallenge(login) : undefined;
  if (refusal === undefined && (asked === undefined || canPass(asked, login))) {
    return { challenge: asked, counting: { login, takesPlaces: true } };
  }
  return {
    refusal: refusal ?? refusalOf("bot_check", "version", String(facts.protocol)),
    ...(notesName(login) && { counting: { login, takesPlaces: false } }),
  };
}

function contextOf(
  facts: LoginAttempt,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): LoginContext {
  const { memory, verified } = state;
  const level = actingLevel(rules.antibot, facts);
  const known = verified.passedChallenge(facts.name, facts.ip, nowMs);
  const passed = strongestChallenge(facts.passed, known);
  const isNew = notesName({ rules, passed }) && memory.isNewName(rules.shield, facts.name, nowMs);
  return { facts, rules, state, nowMs, level, passed, newNames: isNew ? 1 : 0 };
}

function refusalBy(rules: readonly Rule[], login: LoginContext): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule(login);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
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

/** A connection whose game is not parsed, as the rules see it. */
export function connectionContext(
  facts: Pick<LoginAttempt, "ip" | "attack">,
  rules: MitigationRules,
  state: ProtectionState,
  nowMs: number,
): ConnectionContext {
  const level = actingLevel(rules.antibot, facts);
  return { facts, rules, state, nowMs, level, passed: undefined };
}

/** The refusal of such a connection, by its address alone. */
export function mitigateConnection(connection: ConnectionContext): Refusal | undefined {
  return sourceRates(connection) ?? loginsPerSecond(connection) ?? vpn(connection);
}

function actingLevel(level: AntibotLevel, { attack }: Pick<LoginAttempt, "attack">): AntibotLevel {
  const { relaxedTo } = attack;
  if (relaxedTo === null || !attack.isUnderAttack) return level;
  return antibotLevels.indexOf(relaxedTo) < antibotLevels.indexOf(level) ? relaxedTo : level;
}
