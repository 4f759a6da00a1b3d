import {
  mitigationDefaults,
  updateMitigationBody,
  type MitigationSettings,
} from "@palisade/contract/http/mitigation";
import type { z } from "zod";

/**
 * What a shield's owner has set, and the default for the rest: of a shield made by an api of the
 * version before there is nothing.
 *
 * @throws ZodError where it is not something this version understands
 */
export function readMitigation(stored: unknown): MitigationSettings {
  return mergeMitigation(mitigationDefaults, updateMitigationBody.parse(stored ?? {}));
}

/** `settings`, but for what `changes` says otherwise. */
export function mergeMitigation(
  settings: MitigationSettings,
  changes: z.output<typeof updateMitigationBody>,
): MitigationSettings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...settings }, Object.fromEntries(given));
}
