import type { AntibotLevel, ChallengeGrade } from "@palisade/contract/edge/plain-values";
import type { MitigationSettings } from "@palisade/contract/http/mitigation";

/** When unknown players are asked for a check. */
export type Acting = "always" | "attack" | "never";

type Settings = Pick<MitigationSettings, "antibot_level" | "secure_profiles" | "shadow_mode">;

/** When the check acts under the settings; in shadow mode no player is checked. */
export function actingOf(grade: ChallengeGrade, settings: Settings): Acting {
  if (settings.shadow_mode) return "never";
  if (grade === "premium") return settings.secure_profiles ? "always" : "never";
  return actingAt(grade, settings.antibot_level);
}

/** A stricter check begins with the weaker ones. */
function actingAt(grade: Exclude<ChallengeGrade, "premium">, level: AntibotLevel): Acting {
  if (level === "extreme") return "always";
  if (level === "high") return grade === "captcha" ? "never" : "always";
  return level === "medium" && grade === "protocol" ? "attack" : "never";
}
