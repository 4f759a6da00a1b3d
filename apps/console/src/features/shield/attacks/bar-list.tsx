import type { ReactNode } from "react";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./attack.module.css";

interface BarListProps {
  readonly label: string;
  readonly rows: readonly {
    readonly name: string;
    readonly amount: number;
    /** A button that acts on the row. */
    readonly action?: ReactNode;
  }[];
  readonly empty: string;
  /** For addresses and names, whose characters are compared. */
  readonly mono?: boolean;
}

/** Names with their numbers, and a bar behind each that compares them. */
export function BarList({ label, rows, empty, mono }: BarListProps) {
  const { locale } = useLocale();
  const most = Math.max(1, ...rows.map(({ amount }) => amount));
  if (rows.length === 0) return <p className={classes["none"]}>{empty}</p>;
  return (
    <ol className={classes["bars"]} aria-label={label} data-mono={mono || undefined}>
      {rows.map(({ name, amount, action }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- shortened addresses may be equal
        <li key={`${name}${index}`}>
          <span
            className={classes["bar"]}
            style={{ width: `${(100 * amount) / most}%` }}
            aria-hidden="true"
          />
          <span className={classes["name"]}>{name}</span>
          <strong>{count(locale, amount)}</strong>
          {action}
        </li>
      ))}
    </ol>
  );
}
