import type { MitigationRules } from "#src/protection/mitigation-rules.ts";
import type { VerificationFault } from "./verification.ts";

/** What it is told and counted as that a player has not passed. */
export function reasonOf(
  fault: VerificationFault,
  { secure_profiles }: Pick<MitigationRules, "secure_profiles">,
): "bot_check" | "secure_profiles" {
  return fault === "not-premium" && secure_profiles ? "secure_profiles" : "bot_check";
}
