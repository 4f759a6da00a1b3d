import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import { shieldStatusLabels } from "#src/ui/shield-status.tsx";
import { balancingLabels, gameLabels } from "../backends/labels.ts";
import { useLevelLabels } from "../mitigation/setting-labels.ts";
import { levelLabels, rightAreaLabels, roleLabels } from "../sub-users/role-labels.ts";

type Labels = Readonly<Record<string, MessageDescriptor>>;

/** By the names of fields whose values are words of the api. */
const labelsOfValues: Readonly<Record<string, Labels>> = {
  balancing: balancingLabels,
  game: gameLabels,
  member: roleLabels,
  invitation: roleLabels,
  status: shieldStatusLabels,
};

/** The label of a value on its own page. Texts of people, and values of a newer version, stay. */
export function useValueLabel(): (field: string, value: string) => string {
  const { i18n } = useLingui();
  const levels: Readonly<Record<string, string>> = useLevelLabels();
  const labelOf = (labels: Labels | undefined, value: string): string => {
    const label = labels?.[value];
    return label === undefined ? value : i18n._(label);
  };
  return (field, value) => {
    if (field === "antibot_level") return levels[value] ?? value;
    const labels = labelsOfValues[field];
    const rights = labels === roleLabels ? ownRights(value) : undefined;
    if (rights === undefined) return labelOf(labels, value);
    const named = rights.map(
      ([area, level]) => `${labelOf(rightAreaLabels, area)}: ${labelOf(levelLabels, level)}`,
    );
    return `${labelOf(roleLabels, "custom")} (${named.join(", ")})`;
  };
}

/** The api writes own rights as `custom (backends: change, logs: view)`. */
function ownRights(value: string): readonly (readonly [string, string])[] | undefined {
  const inside = /^custom \((.*)\)$/.exec(value)?.[1];
  if (inside === undefined) return undefined;
  return inside
    .split(", ")
    .filter((right) => right !== "")
    .map((right) => {
      const [area = "", level = ""] = right.split(": ");
      return [area, level] as const;
    });
}
