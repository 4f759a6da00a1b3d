import {
  mitigationFallback,
  mitigationRanges,
  updateMitigationBody,
  type MitigationLimit,
  type MitigationSettings,
} from "@palisade/contract/http/mitigation";
import { orderedRange, type Versions } from "./version-range.ts";

/** Form values: a limit that is not a number yet stays as typed. */
export type SettingValues = Omit<MitigationSettings, MitigationLimit> &
  Record<MitigationLimit, number | string>;

export type SettingName = keyof MitigationSettings;
export type ToggleName = {
  [N in SettingName]: MitigationSettings[N] extends boolean ? N : never;
}[SettingName];

/** In the order they are shown. */
// `Object.keys` loses the type of the keys.
export const settingNames = Object.keys(mitigationFallback) as SettingName[];
const limits = Object.keys(mitigationRanges) as MitigationLimit[];

/** Checks that need no server: the ranges, and limits of 0 that are on. */
export const settingsSchema = updateMitigationBody.superRefine((typed, context) => {
  for (const name of limits) {
    if (typed[`${name}_enabled`] === true && typed[name] === 0) {
      context.addIssue({ code: "custom", path: [name], message: "limit.zero" });
    }
  }
});

/** The settings without the plan's fields; a range stored in reverse is put in order. */
export function settingsOf(stored: MitigationSettings, versions: Versions): SettingValues {
  const known = Object.fromEntries(settingNames.map((name) => [name, stored[name]]));
  const minecraft_versions = orderedRange(versions, stored.minecraft_versions);
  // `known` holds every setting.
  return { ...(known as unknown as SettingValues), minecraft_versions };
}

/** A number if possible; other text stays for the form to refuse. */
export function limitOf(text: string): number | string {
  return /^\d{1,7}$/.test(text) ? Number(text) : text;
}

export const tabs = ["general", "antibot", "miscellaneous"] as const;
export type Tab = (typeof tabs)[number];

const antibotNames = new Set([
  "antibot_level",
  "advanced_antibot",
  "mitigation_threshold",
  "mitigation_threshold_enabled",
  "mitigation_duration",
  "mitigation_duration_enabled",
  "verified_hours",
  "text_captcha",
]);
const miscellaneousNames = new Set(["secure_profiles", "anti_vpn", "anti_forge"]);

/** The tab of a setting; null for shadow mode, which is above the tabs. */
export function tabOf(name: string): Tab | null {
  if (name === "shadow_mode") return null;
  if (antibotNames.has(name)) return "antibot";
  return miscellaneousNames.has(name) ? "miscellaneous" : "general";
}
