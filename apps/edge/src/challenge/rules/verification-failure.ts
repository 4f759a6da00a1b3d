import type { MitigationRules } from "@palisade/login-rules/login-attempt";

/** Why a player did not pass, for log and counters. */
export type VerificationFailure =
  | "malformed"
  | "unexpected"
  | "wrong-echo"
  | "too-much"
  | "no-settings"
  | "odd-settings"
  | "no-fall"
  | "no-landing"
  | "no-ride"
  | "wrong-position"
  | "wrong-code"
  | "too-fast"
  | "silence"
  | "too-slow"
  | "no-room"
  | "encryption"
  | "not-premium"
  | "session-server";

/** The refusal reason that the failure is logged and counted as. */
export function refusalReasonOf(
  fault: VerificationFailure,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" {
  return fault === "not-premium" && secure_profiles ? "secure_profiles" : "bot_check";
}

/** The reason whose message the player reads: if too many join at once, that one. */
export function kickReasonOf(
  fault: VerificationFailure,
  rules: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" | "max_connections" {
  const isCrowded = fault === "no-room" || fault === "too-slow";
  return isCrowded ? "max_connections" : refusalReasonOf(fault, rules);
}

/**
 * The side that a failure counts against: the player, and the check itself if the player is a
 * regular; the player alone, who still had to answer when others needed the slot, as happens in a
 * flood; or only the edge.
 */
const against: Readonly<Record<VerificationFailure, "check" | "player" | "edge">> = {
  malformed: "check",
  unexpected: "check",
  "wrong-echo": "check",
  "too-much": "check",
  "no-settings": "check",
  "odd-settings": "check",
  "no-fall": "check",
  "no-landing": "check",
  "no-ride": "check",
  "wrong-position": "check",
  "wrong-code": "check",
  "too-fast": "check",
  silence: "check",
  encryption: "check",
  "not-premium": "check",
  "too-slow": "player",
  "no-room": "edge",
  "session-server": "edge",
};

/** Whether the edge could not do its part, so that the failure says nothing about the player. */
export function isEdgeFailure(fault: VerificationFailure): boolean {
  return against[fault] === "edge";
}

/**
 * Whether the failure is counted for its source. An account that was not bought says nothing about bots.
 */
export function tellsOfBots(fault: VerificationFailure): boolean {
  return against[fault] === "check" && fault !== "not-premium";
}

/** Whether the check may be wrong if it fails players who have long been known. */
export function mayBeFalsePositive(fault: VerificationFailure): boolean {
  return against[fault] === "check";
}
