import type { MitigationRules } from "#src/protection/mitigation-rules.ts";

/** Why somebody did not pass, for log and counters. */
export type VerificationFailure =
  | "malformed"
  | "unexpected"
  | "wrong-echo"
  | "too-much"
  | "no-settings"
  | "odd-settings"
  | "no-fall"
  | "silence"
  | "too-slow"
  | "no-room"
  | "encryption"
  | "not-premium"
  | "session-server";

/** What it is told and counted as that a player has not passed. */
export function refusalReasonOf(
  fault: VerificationFailure,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" {
  return fault === "not-premium" && secure_profiles ? "secure_profiles" : "bot_check";
}

/** Of which reason the words are that he reads: where too many join at once, that. */
export function kickReasonOf(
  fault: VerificationFailure,
  rules: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" | "max_connections" {
  const isCrowded = fault === "no-room" || fault === "too-slow";
  return isCrowded ? "max_connections" : refusalReasonOf(fault, rules);
}

/**
 * What a fault speaks against: the player, and the check where he is a regular; the player alone,
 * who owed an answer when others needed his place, which a flood brings about; or nobody but the edge.
 */
const against: Readonly<Record<VerificationFailure, "check" | "player" | "edge">> = {
  malformed: "check",
  unexpected: "check",
  "wrong-echo": "check",
  "too-much": "check",
  "no-settings": "check",
  "odd-settings": "check",
  "no-fall": "check",
  silence: "check",
  encryption: "check",
  "not-premium": "check",
  "too-slow": "player",
  "no-room": "edge",
  "session-server": "edge",
};

/** Whether the edge could not do its part, so that nothing is said of the player. */
export function isEdgeFailure(fault: VerificationFailure): boolean {
  return against[fault] === "edge";
}

/** Whether the check may be wrong, where players fail who have long been known. */
export function mayBeFalsePositive(fault: VerificationFailure): boolean {
  return against[fault] === "check";
}
