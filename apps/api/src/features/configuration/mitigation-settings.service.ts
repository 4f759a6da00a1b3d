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
 * The owner's settings, completed by defaults. A shield made by an api of the previous version has
 * no settings.
 *
 * @throws ZodError where this version does not understand them
 */
export function parseMitigation(stored: unknown): MitigationSettings {
  return mergeMitigation(defaults, updateMitigationBody.parse(stored ?? {}));
}

/** A shield's behaviour during an attack, from its stored settings and the stored limits of its plan. */
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

/** `settings` with `changes` applied. */
export function mergeMitigation(
  settings: MitigationSettings,
  changes: z.output<typeof updateMitigationBody>,
): MitigationSettings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...settings }, Object.fromEntries(given));
}
