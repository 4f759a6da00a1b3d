import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconGitMerge } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./mitigation.module.css";
import { settingNames, type SettingName, type Typed } from "./settings.ts";
import { useLevelLabels, useLimitUnits, useSettingLabels } from "./setting-labels.ts";

interface MitigationConflictProps {
  readonly theirs: Partial<Typed>;
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onKeepTheirs: () => void;
}

/**
 * Somebody saved first: what they changed, while what was changed here is still in the form. It
 * stands where Save was pressed and takes the focus: it has to be read before anything is replaced.
 */
export function MitigationConflict(props: MitigationConflictProps) {
  const { theirs, isSaving, onKeepMine, onKeepTheirs } = props;
  const labels = useSettingLabels();
  const textOf = useValueText(theirs);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={classes["conflict"]}>
      <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
        <p>
          <strong>
            <Trans>Somebody else changed this in the meantime.</Trans>
          </strong>{" "}
          <Trans>Nothing was saved; your changes are still in the form. They saved:</Trans>
        </p>
        <ul>
          {settingNames
            .filter((name) => theirs[name] !== undefined)
            .map((name) => (
              <li key={name}>
                {labels[name]}: <strong>{textOf(name)}</strong>
              </li>
            ))}
        </ul>
        <div className={classes["decide"]}>
          <ActionButton size="compact-sm" loading={isSaving} onClick={onKeepMine}>
            <Trans>Keep mine</Trans>
          </ActionButton>
          <Button size="compact-sm" variant="default" onClick={onKeepTheirs}>
            <Trans>Keep theirs</Trans>
          </Button>
        </div>
      </Banner>
    </div>
  );
}

function useValueText(settings: Partial<Typed>): (name: SettingName) => string {
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
