import { useLingui } from "@lingui/react/macro";
import { settingNames, type SettingName, type SettingValues } from "./settings.ts";
import { useLevelLabels } from "../level-labels.ts";
import { useLimitUnits, useSettingLabels } from "./setting-labels.ts";

/** The other user's settings, with the labels of the page. */
export function ConflictingSettings({ theirs }: { theirs: Partial<SettingValues> }) {
  const labels = useSettingLabels();
  const textOf = useValueText(theirs);
  return (
    <ul>
      {settingNames
        .filter((name) => theirs[name] !== undefined)
        .map((name) => (
          <li key={name}>
            {labels[name]}: <strong>{textOf(name)}</strong>
          </li>
        ))}
    </ul>
  );
}

function useValueText(settings: Partial<SettingValues>): (name: SettingName) => string {
  const { t } = useLingui();
  const levels = useLevelLabels();
  const units: Partial<Record<SettingName, string>> = useLimitUnits();
  return (name) => {
    if (name === "minecraft_versions") {
      const { min, max } = settings.minecraft_versions ?? {};
      return `${min} – ${max}`;
    }
    if (name === "antibot_level") return levels[settings.antibot_level ?? "disabled"];
    const value = settings[name];
    if (typeof value === "boolean") return value ? t`on` : t`off`;
    return `${value} ${units[name]}`;
  };
}
