import { TextInput } from "@mantine/core";
import { mitigationRanges, type MitigationLimit } from "@palisade/contract/http/mitigation";
import { useLocale } from "#src/lib/preferences.ts";
import { FieldError } from "#src/ui/field-error.tsx";
import type { ReactNode } from "react";
import type { MitigationForm } from "./use-mitigation-form.ts";
import classes from "./mitigation.module.css";
import { Setting } from "./setting.tsx";
import { limitOf } from "./settings.ts";
import { useLimitUnits, useSettingLabels } from "./setting-labels.ts";

interface LimitSettingProps {
  readonly use: MitigationForm;
  readonly name: MitigationLimit;
  readonly does: string;
  readonly costs: string;
  readonly hint?: ReactNode;
}

/** A limit with its switch, set with a slider or typed. */
export function LimitSetting({ use, name, does, costs, hint }: LimitSettingProps) {
  const { form, field, readOnly } = use;
  const { locale } = useLocale();
  const label = useSettingLabels()[name];
  const unit = useLimitUnits()[name];
  const { min, max } = mitigationRanges[name];
  const toggle = `${name}_enabled` as const;
  const value = form.values[name];
  const disabled = readOnly || !form.values[toggle];
  const { error } = field(name);
  const set = (text: string) => form.setFieldValue(name, limitOf(text));
  const shown = new Intl.NumberFormat(locale);
  return (
    <Setting
      label={label}
      does={does}
      costs={costs}
      hint={hint}
      disabled={readOnly}
      field={use.toggle(toggle)}
    >
      <div className={classes["limit"]}>
        <input
          type="range"
          aria-label={label}
          aria-valuetext={`${value} ${unit}`}
          min={min}
          max={max}
          step={1}
          value={value}
          disabled={disabled}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
        <TextInput
          name={name}
          aria-label={`${label}, ${unit}`}
          inputMode="numeric"
          autoComplete="off"
          value={String(value)}
          disabled={disabled}
          error={error === undefined ? undefined : <FieldError text={error} />}
          classNames={{ root: classes["typed"] ?? "", input: classes["number"] ?? "" }}
          onChange={({ currentTarget }) => set(currentTarget.value.trim())}
        />
      </div>
      <p className={classes["span"]} aria-hidden="true">
        {shown.format(min)} – {shown.format(max)} {unit}
      </p>
    </Setting>
  );
}
