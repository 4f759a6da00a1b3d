import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import { everyRegion } from "@palisade/contract/http/backends";
import type { SettingChange } from "@palisade/contract/http/history";
import { rightAreas, rightLevels } from "@palisade/contract/http/member-rights";
import type { Rights } from "@palisade/contract/http/member-rights";
import { useQuery } from "@tanstack/react-query";
import { locationsQuery } from "#src/api/locations.ts";
import { quantity } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { roleLabels, useRightsText } from "#src/ui/role-labels.ts";
import { shieldStatusLabels } from "#src/ui/shield-status.tsx";
import { balancingLabels, gameLabels, proofLabels } from "../backends/labels.ts";
import { useLevelLabels } from "../level-labels.ts";
import { unknownVersionLabels } from "../mitigation/unknown-version-labels.ts";

type Value = SettingChange["before"];
type Labels = Readonly<Record<string, MessageDescriptor>>;

/** By the names of fields whose values are words of the api. */
const labelsOfValues: Readonly<Record<string, Labels>> = {
  balancing: balancingLabels,
  game: gameLabels,
  member: roleLabels,
  invitation: roleLabels,
  server_proof: proofLabels,
  status: shieldStatusLabels,
  unknown_versions: unknownVersionLabels,
};

const units: Readonly<Record<string, "second" | "minute" | "hour" | "byte">> = {
  verified_hours: "hour",
  rejoin_cooldown: "second",
  mitigation_duration: "minute",
  max_packet_size: "byte",
};
const perSecond: ReadonlySet<string> = new Set(["max_connections", "mitigation_threshold"]);
const regions: ReadonlySet<string> = new Set(["region", "group_region"]);

/** A value as its own page shows it. Texts of people, and values of a newer version, stay. */
export function useValueText(): (field: string, value: Value) => string {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const levels: Readonly<Record<string, string>> = useLevelLabels();
  const rightsText = useRightsText();
  const { data: locations } = useQuery(locationsQuery(""));

  function numberText(field: string, value: number): string {
    const unit = units[field];
    if (unit !== undefined) return quantity(locale, value, unit);
    return perSecond.has(field) ? t`${value} per second` : String(value);
  }

  function regionText(name: string): string {
    if (name === everyRegion) return "Anycast (Legacy)";
    return locations?.find((location) => location.name === name)?.display_name ?? name;
  }

  return (field, value) => {
    if (typeof value === "boolean") return value ? t`On` : t`Off`;
    if (typeof value === "number") return numberText(field, value);
    // A domain without a group of its own has an empty one.
    if (field === "domain" && value === "") return t`Group by region`;
    if (value === null || value === "") return "–";
    if (regions.has(field)) return regionText(value);
    if (field === "antibot_level") return levels[value] ?? value;
    const labels = labelsOfValues[field];
    const rights = labels === roleLabels ? ownRights(value) : undefined;
    if (rights !== undefined) return `${i18n._(roleLabels.custom)} (${rightsText(rights)})`;
    const label = labels?.[value];
    return label === undefined ? value : i18n._(label);
  };
}

/** The api writes own rights as `custom (backends: change, logs: view)`. */
function ownRights(value: string): Partial<Rights> | undefined {
  const inside = /^custom \((.*)\)$/.exec(value)?.[1];
  if (inside === undefined) return undefined;
  const rights = inside.split(", ").flatMap((right) => {
    const [name, named] = right.split(": ");
    const area = rightAreas.find((each) => each === name);
    const level = rightLevels.find((each) => each === named);
    return area === undefined || level === undefined ? [] : [[area, level] as const];
  });
  return Object.fromEntries(rights);
}

/** A short text in the list: what one change made of what. Null where only a table can say it. */
export function useChangeText(): (change: SettingChange) => string | null {
  const { t } = useLingui();
  const textOf = useValueText();
  return (change) => {
    const { field, before, after } = change;
    const [added, removed] = [
      entriesText(change.added, change.added_count),
      entriesText(change.removed, change.removed_count),
    ];
    if (added !== null && removed !== null) return t`${added} added, ${removed} removed`;
    if (added !== null) return t`${added} added`;
    if (removed !== null) return t`${removed} removed`;
    if ([before, after].some(isImage)) return null;
    const now = textOf(field, withoutRights(after));
    return before === null ? now : `${textOf(field, withoutRights(before))} → ${now}`;
  };
}

/** The only entry, or how many there are. */
function entriesText(entries: readonly string[], count: number): string | null {
  if (count === 0) return null;
  return count === 1 ? (entries[0] ?? null) : String(count);
}

/** Own rights are too long for a line. */
function withoutRights(value: Value): Value {
  return typeof value === "string" ? value.replace(/^custom \(.*\)$/, "custom") : value;
}

export function isImage(value: Value): value is string {
  return typeof value === "string" && value.startsWith("data:image/");
}
