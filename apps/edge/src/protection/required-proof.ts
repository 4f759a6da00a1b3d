import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import type { Case } from "./login-case.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import { type Proof, proofs } from "./shared/verified-players.ts";

export function strongest(a: Proof | undefined, b: Proof | undefined): Proof | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isAsGood(a, b) ? a : b;
}

function isAsGood(proof: Proof, as: Proof): boolean {
  return proofs.indexOf(proof) >= proofs.indexOf(as);
}

/** What the player has still to show; undefined where he has shown enough. */
export function proofAsked(login: Case): Proof | undefined {
  const ofProfile = provesAccount(login.facts.protocol, login.rules) ? "premium" : undefined;
  const asked = strongest(ofProfile, proofOfLevel(login));
  if (asked === undefined) return undefined;
  return login.proof !== undefined && isAsGood(login.proof, asked) ? undefined : asked;
}

/**
 * Whether the owner asks for an account, whatever the level. Later than 1.19.2 the key is seen only
 * by whoever encrypts; a paid account is what it would show.
 */
export function provesAccount(
  protocol: number,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): boolean {
  return secure_profiles && !showsProfileKey(protocol);
}

function proofOfLevel({ level, facts, rules, knowledge, nowMs }: Case): Proof | undefined {
  if (level === "extreme") {
    return knowledge.canAsk("gravity", facts.protocol) ? "gravity" : "premium";
  }
  if (level === "high") return "protocol";
  if (level !== "medium") return undefined;
  const isPressed =
    facts.attack.isUnderAttack ||
    (rules.advanced_antibot && knowledge.memory.isBurst(rules.shield, nowMs));
  return isPressed ? "protocol" : undefined;
}

export function canGive(asked: Proof, { facts, knowledge }: Case): boolean {
  return facts.form === "modern" && knowledge.canAsk(asked, facts.protocol);
}
