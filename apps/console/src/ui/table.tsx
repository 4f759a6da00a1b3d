import type { ReactNode } from "react";
import classes from "./table.module.css";

interface Column {
  readonly key: string;
  readonly name: ReactNode;
  /** For numbers and actions; their cells need `data-right` too. */
  readonly right?: boolean;
}

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly dense?: boolean;
  /** The rows. */
  readonly children: ReactNode;
}

export function Table({ label, columns, dense, children }: TableProps) {
  return (
    <table className={classes["table"]} data-dense={dense || undefined} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, name, right }) => (
            <th key={key} scope="col" data-right={right || undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
