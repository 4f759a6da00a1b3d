import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Table } from "#src/ui/table.tsx";
import classes from "./parts.module.css";

export interface StaffColumn<Row> {
  readonly key: string;
  readonly name: string;
  readonly right?: boolean;
  /** Without a name beside it on narrow screens: what the row is, and its buttons. */
  readonly bare?: boolean;
  readonly renderCell: (row: Row) => ReactNode;
}

interface StaffRowsProps<Row> {
  readonly label: string;
  readonly columns: readonly StaffColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A table; on narrow screens a list with a card for each row, so that nothing scrolls sideways. */
export function StaffRows<Row>({ label, columns, rows, keyOf }: StaffRowsProps<Row>) {
  const isNarrow = useMediaQuery("(max-width: 760px)", false, { getInitialValueInEffect: false });
  if (isNarrow) {
    return (
      <ul className={classes["cards"]} aria-label={label}>
        {rows.map((row) => (
          <li key={keyOf(row)}>
            {columns.map(({ key, name, bare, renderCell }) =>
              bare === true ? (
                <div key={key} className={classes["bare"]}>
                  {renderCell(row)}
                </div>
              ) : (
                <div key={key} className={classes["pair"]}>
                  <span className={classes["name"]}>{name}</span>
                  <span className={classes["value"]}>{renderCell(row)}</span>
                </div>
              ),
            )}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table
      label={label}
      columns={columns.map(({ key, name, right = false, bare = false }) => ({
        key,
        name: bare && right ? <span className="visually-hidden">{name}</span> : name,
        right,
      }))}
    >
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ key, right, renderCell }) => (
            <td key={key} data-right={right || undefined}>
              {renderCell(row)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
