import { useId, type ReactNode } from "react";
import classes from "./choice-card.module.css";

interface ChoiceCardProps {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly className?: string | undefined;
  /** The accessible name if the card holds more text; the rest is its description. */
  readonly label?: string;
  readonly onChoose: (value: string) => void;
  readonly children: ReactNode;
}

/** A radio button drawn as a card: arrow keys move within the group, as with any radio. */
export function ChoiceCard(props: ChoiceCardProps) {
  const id = useId();
  const naming = props.label ? { "aria-label": props.label, "aria-describedby": id } : {};
  return (
    <label
      className={[classes["card"], props.className].join(" ")}
      data-disabled={props.disabled || undefined}
    >
      <input
        type="radio"
        name={props.name}
        value={props.value}
        checked={props.checked}
        disabled={props.disabled}
        onChange={() => props.onChoose(props.value)}
        {...naming}
      />
      {props.label ? (
        <span id={id} className={classes["content"]}>
          {props.children}
        </span>
      ) : (
        props.children
      )}
    </label>
  );
}
