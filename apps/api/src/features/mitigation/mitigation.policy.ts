import type { MitigationSettings } from "@palisade/contract/http/mitigation";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import type { FieldIssue } from "#src/platform/errors/domain-error.ts";

const limits = [
  "max_connections",
  "rejoin_cooldown",
  "max_packet_size",
  "mitigation_threshold",
  "mitigation_duration",
] as const;

const positions = new Map(knownReleases.map(({ version }, position) => [version, position]));

/** Issues of the settings as a whole, which a single field does not show. */
export function issuesOf(settings: MitigationSettings): FieldIssue[] {
  const zeros = limits
    .filter((name) => settings[`${name}_enabled`] && settings[name] === 0)
    .map((name): FieldIssue => ({ path: name, code: "limit.zero" }));
  const unknown = (["min", "max"] as const)
    .filter((end) => !positions.has(settings.minecraft_versions[end]))
    .map((end): FieldIssue => ({ path: `minecraft_versions.${end}`, code: "version.unknown" }));
  return [...zeros, ...unknown];
}

/** The earlier version first, whichever way round they were sent. */
export function ordered(
  versions: MitigationSettings["minecraft_versions"],
): MitigationSettings["minecraft_versions"] {
  const { min, max } = versions;
  const isReversed = (positions.get(min) ?? 0) > (positions.get(max) ?? 0);
  return isReversed ? { min: max, max: min } : { min, max };
}
