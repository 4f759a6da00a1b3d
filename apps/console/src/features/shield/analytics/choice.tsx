import classes from "./choice.module.css";

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: V; readonly label: string }[];
  /** None is pressed where it is undefined. */
  readonly value: V | undefined;
  readonly onChoose: (value: V) => void;
}

/** Buttons of which one is pressed. */
export function Choice<V extends string>({ label, choices, value, onChoose }: ChoiceProps<V>) {
  return (
    <div className={classes["choice"]} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
