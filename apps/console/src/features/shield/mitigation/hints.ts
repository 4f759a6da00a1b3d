import type { Typed } from "./settings.ts";

/** A choice that has less effect than it looks, as the other settings are. */
export type Hint =
  | "level_waits_for_attack"
  | "threshold_only_shows"
  | "duration_without_threshold"
  | "threshold_without_duration"
  | "advanced_without_verification";

export function hintsOf(settings: Typed): ReadonlySet<Hint> {
  const { antibot_level: level, mitigation_threshold_enabled: hasThreshold } = settings;
  const hints: Hint[] = [];
  if (level === "medium" && !hasThreshold) hints.push("level_waits_for_attack");
  if (level === "disabled" && hasThreshold) hints.push("threshold_only_shows");
  if (settings.mitigation_duration_enabled && !hasThreshold) {
    hints.push("duration_without_threshold");
  }
  if (hasThreshold && !settings.mitigation_duration_enabled) {
    hints.push("threshold_without_duration");
  }
  if (settings.advanced_antibot && (level === "disabled" || level === "low")) {
    hints.push("advanced_without_verification");
  }
  return new Set(hints);
}
