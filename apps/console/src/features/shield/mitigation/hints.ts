import type { SettingValues } from "./settings.ts";

/** A setting that has less effect than it seems, because of other settings. */
export type Hint =
  | "level_waits_for_attack"
  | "threshold_only_shows"
  | "duration_without_threshold"
  | "threshold_without_duration"
  | "advanced_without_verification"
  | "shadow_without_verification";

export function hintsOf(settings: SettingValues): ReadonlySet<Hint> {
  const { antibot_level: level, mitigation_threshold_enabled: hasThreshold } = settings;
  const { advanced_antibot: advanced } = settings;
  const verifies = level !== "disabled" && level !== "low";
  const hints: Hint[] = [];
  // Advanced AntiBot also checks players in a burst of new names, at every level.
  if (level === "medium" && !hasThreshold && !advanced) hints.push("level_waits_for_attack");
  if (level === "disabled" && hasThreshold && !advanced) hints.push("threshold_only_shows");
  if (settings.mitigation_duration_enabled && !hasThreshold) {
    hints.push("duration_without_threshold");
  }
  if (hasThreshold && !settings.mitigation_duration_enabled) {
    hints.push("threshold_without_duration");
  }
  if (advanced && !verifies) hints.push("advanced_without_verification");
  if (settings.shadow_mode && (verifies || settings.secure_profiles)) {
    hints.push("shadow_without_verification");
  }
  return new Set(hints);
}
