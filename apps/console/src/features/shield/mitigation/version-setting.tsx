import { Checkbox, NativeSelect } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { useState } from "react";
import type { MitigationForm } from "./use-mitigation-form.ts";
import classes from "./mitigation.module.css";
import { Setting } from "./setting.tsx";
import { useSettingLabels } from "./setting-labels.ts";
import {
  isUnsupported,
  lowerEnds,
  oldestSupported,
  rangeFrom,
  upperEnds,
  type Range,
  type Versions,
} from "./version-range.ts";

export function VersionSetting({ use, versions }: { use: MitigationForm; versions: Versions }) {
  const { t } = useLingui();
  const { form, readOnly } = use;
  const label = useSettingLabels().minecraft_versions;
  const range = form.values.minecraft_versions;
  const [isAllowed, allow] = useState(false);
  const reachesBelow = isUnsupported(versions, range.min);
  const disabled = readOnly || !form.values.minecraft_version_range_enabled;
  const set = (next: Range) => form.setFieldValue("minecraft_versions", next);
  const from = (min: string) => set(rangeFrom(versions, range, min));
  return (
    <Setting
      label={label}
      does={t`Only these Minecraft versions can join. When off, 1.8 and all newer versions can join.`}
      costs={t`Players with another version are told which versions can join.`}
      disabled={readOnly}
      field={use.toggle("minecraft_version_range_enabled")}
    >
      <div className={classes["range"]}>
        <NativeSelect
          name="version_from"
          label={t`From`}
          disabled={disabled}
          value={range.min}
          data={[...lowerEnds(versions, isAllowed || reachesBelow)]}
          onChange={({ currentTarget }) => from(currentTarget.value)}
        />
        <NativeSelect
          name="version_to"
          label={t({ message: "To", context: "version range" })}
          disabled={disabled}
          value={range.max}
          data={[...upperEnds(versions, range)]}
          onChange={({ currentTarget }) => set({ ...range, max: currentTarget.value })}
        />
      </div>
      <Checkbox
        name="version_unsupported"
        label={t`Allow versions below 1.8`}
        description={t`These versions are no longer maintained, and most checks do not work with them.`}
        disabled={disabled}
        checked={isAllowed || reachesBelow}
        onChange={({ currentTarget }) => {
          allow(currentTarget.checked);
          if (!currentTarget.checked && reachesBelow) from(oldestSupported);
        }}
      />
    </Setting>
  );
}
