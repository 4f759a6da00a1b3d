import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import type { LoginContext } from "./rule-context.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import { type Challenge, challenges } from "./shared/verified-players.ts";

export function strongestChallenge(
  a: Challenge | undefined,
  b: Challenge | undefined,
): Challenge | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isAsGood(a, b) ? a : b;
}

function isAsGood(challenge: Challenge, as: Challenge): boolean {
  return challenges.indexOf(challenge) >= challenges.indexOf(as);
}

/** The challenge that the player still has to pass; undefined if they have passed enough. */
export function requiredChallenge(login: LoginContext): Challenge | undefined {
  const ofProfile = requiresAccount(login.facts.protocol, login.rules) ? "premium" : undefined;
  const asked = strongestChallenge(ofProfile, challengeOfLevel(login));
  if (asked === undefined) return undefined;
  return login.passed !== undefined && isAsGood(login.passed, asked) ? undefined : asked;
}

/**
 * Whether the owner requires an account, whatever the level. After 1.19.2 a client shows its
 * profile key only in an encrypted connection, so the edge checks the paid account instead.
 */
export function requiresAccount(
  protocol: number,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): boolean {
  return secure_profiles && !showsProfileKey(protocol);
}

function challengeOfLevel({
  level,
  facts,
  rules,
  state,
  nowMs,
  newNames,
}: LoginContext): Challenge | undefined {
  if (level === "extreme") {
    return state.canAsk("gravity", facts.protocol) ? "gravity" : "premium";
  }
  if (level === "high") return "protocol";
  if (level !== "medium") return undefined;
  const isPressed =
    facts.attack.isUnderAttack ||
    (rules.advanced_antibot && state.memory.isBurst(rules.shield, newNames, nowMs));
  return isPressed ? "protocol" : undefined;
}

export function canPass(asked: Challenge, { facts, state }: LoginContext): boolean {
  return facts.form === "modern" && state.canAsk(asked, facts.protocol);
}
