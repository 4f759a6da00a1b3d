import {
  mitigationDefaults,
  updateMitigationBody,
  type MitigationSettings,
} from "@palisade/contract/http/mitigation";
import type { AntibotState } from "@palisade/contract/http/servers";
import { newestRelease } from "@palisade/minecraft-protocol/java/versions";
import type { z } from "zod";
import { entitlements } from "#src/features/plans/entitlements.service.ts";

const defaults: MitigationSettings = {
  ...mitigationDefaults,
  minecraft_versions: { min: "1.8", max: newestRelease },
};

export function isDefaultVersionRange({
  min,
  max,
}: MitigationSettings["minecraft_versions"]): boolean {
  return min === defaults.minecraft_versions.min && max === defaults.minecraft_versions.max;
}

/**
 * What a shield's owner has set, and the default for the rest: of a shield made by an api of the
 * version before there is nothing.
 *
 * @throws ZodError where it is not something this version understands
 */
export function parseMitigation(stored: unknown): MitigationSettings {
  return mergeMitigation(defaults, updateMitigationBody.parse(stored ?? {}));
}

/** What a shield does about an attack, of its settings and its plan's limits as they are stored. */
export function antibotState(shield: {
  readonly mitigation_settings: unknown;
  readonly plan_limits: unknown;
}): AntibotState {
  const settings = parseMitigation(shield.mitigation_settings);
  const level = entitlements(shield).antibotWithin(settings.antibot_level);
  if (settings.shadow_mode) return "shadow";
  return level === "disabled" && !settings.advanced_antibot ? "off" : "on";
}

/** Whether anti-VPN acts for the shield: it is switched on and part of the plan. */
export function hasAntiVpn(shield: {
  readonly mitigation_settings: unknown;
  readonly plan_limits: unknown;
}): boolean {
  return parseMitigation(shield.mitigation_settings).anti_vpn && entitlements(shield).antiVpn;
}

/** `settings`, but for what `changes` says otherwise. */
export function mergeMitigation(
  settings: MitigationSettings,
  changes: z.output<typeof updateMitigationBody>,
): MitigationSettings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...settings }, Object.fromEntries(given));
}
