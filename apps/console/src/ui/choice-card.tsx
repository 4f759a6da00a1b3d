import type { ReactNode } from "react";
import classes from "./choice-card.module.css";

interface ChoiceCardProps {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
  readonly children: ReactNode;
}

/** A radio button drawn as a card: arrow keys move within the group, as with any radio. */
export function ChoiceCard(props: ChoiceCardProps) {
  return (
    <label className={classes["card"]} data-disabled={props.disabled || undefined}>
      <input
        type="radio"
        name={props.name}
        value={props.value}
        checked={props.checked}
        disabled={props.disabled}
        onChange={() => props.onChoose(props.value)}
      />
      {props.children}
    </label>
  );
}
