import { NativeSelect } from "@mantine/core";
import { useId, type ReactNode } from "react";
import classes from "./mitigation.module.css";
import { Costs, HintLine } from "./setting.tsx";

interface ChoiceSettingProps {
  readonly name: string;
  readonly label: string;
  /** The effect of the setting, and its cost for real players. */
  readonly does: string;
  readonly costs: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly disabled: boolean;
  readonly hint?: ReactNode;
  readonly onChoose: (value: string) => void;
}

/** A setting that is one of a few values, and is never off. */
export function ChoiceSetting(props: ChoiceSettingProps) {
  const { name, label, does, costs, value, choices, disabled, hint, onChoose } = props;
  const id = useId();
  return (
    <li className={classes["setting"]}>
      <div className={classes["about"]}>
        <label htmlFor={id} className={classes["heading"]}>
          {label}
        </label>
        <p id={`${id}-does`} className={classes["explained"]}>
          {does}
        </p>
        <Costs id={`${id}-costs`}>{costs}</Costs>
        <HintLine>{hint}</HintLine>
      </div>
      <div className={classes["choice"]}>
        <NativeSelect
          id={id}
          name={name}
          value={value}
          data={[...choices]}
          disabled={disabled}
          aria-describedby={`${id}-does ${id}-costs`}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        />
      </div>
    </li>
  );
}
