import type { MitigationRules } from "#src/protection/mitigation-rules.ts";

/** Why somebody did not pass, for log and counters. */
export type VerificationFault =
  | "malformed"
  | "unexpected"
  | "wrong-echo"
  | "too-much"
  | "no-settings"
  | "odd-settings"
  | "no-fall"
  | "silence"
  | "no-room"
  | "encryption"
  | "not-premium"
  | "session-server";

/** What it is told and counted as that a player has not passed. */
export function reasonOf(
  fault: VerificationFault,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" {
  return fault === "not-premium" && secure_profiles ? "secure_profiles" : "bot_check";
}

/** Of which reason the words are that he reads: that too many join at once says nothing of him. */
export function wordsOf(
  fault: VerificationFault,
  rules: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" | "max_connections" {
  return fault === "no-room" ? "max_connections" : reasonOf(fault, rules);
}

const ofEdge: Readonly<Record<VerificationFault, boolean>> = {
  malformed: false,
  unexpected: false,
  "wrong-echo": false,
  "too-much": false,
  "no-settings": false,
  "odd-settings": false,
  "no-fall": false,
  silence: false,
  "no-room": true,
  encryption: false,
  "not-premium": false,
  "session-server": true,
};

/** Whether the edge could not do its part. It says nothing of the player, nor of the check. */
export function isOfEdge(fault: VerificationFault): boolean {
  return ofEdge[fault];
}
