import { useLingui } from "@lingui/react/macro";
import type { Transaction } from "@palisade/contract/http/billing";
import { Table } from "#src/ui/table.tsx";
import {
  AmountCell,
  DateCell,
  IdCell,
  MethodCell,
  StatusCell,
  TypeCell,
} from "./transaction-cells.tsx";

export function TransactionTable({ rows }: { rows: readonly Transaction[] }) {
  const { t } = useLingui();
  const columns = [
    { key: "date", name: t`Date`, Cell: DateCell },
    { key: "id", name: t`Transaction ID`, Cell: IdCell },
    { key: "type", name: t`Type`, Cell: TypeCell },
    { key: "method", name: t`Payment Method`, Cell: MethodCell },
    { key: "amount", name: t`Amount`, Cell: AmountCell, right: true },
    { key: "status", name: t`Status`, Cell: StatusCell },
  ];
  return (
    <Table label={t`Transactions`} columns={columns}>
      {rows.map((row) => (
        <tr key={row.id}>
          {columns.map(({ key, Cell, right }) => (
            <td key={key} data-right={right || undefined}>
              <Cell row={row} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
