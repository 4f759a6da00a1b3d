import { useLingui } from "@lingui/react/macro";
import type { Invoice } from "@palisade/contract/http/invoices";
import { Table } from "#src/ui/table.tsx";
import {
  AmountCell,
  DateCell,
  KindCell,
  MethodCell,
  NumberCell,
  PdfCell,
} from "./invoice-cells.tsx";

export interface InvoiceRowsProps {
  readonly rows: readonly Invoice[];
  readonly onOpen: (id: string) => void;
}

export function InvoiceTable({ rows, onOpen }: InvoiceRowsProps) {
  const { t } = useLingui();
  const columns = [
    { key: "date", name: t`Date`, Cell: DateCell },
    { key: "number", name: t`Number`, Cell: NumberCell },
    { key: "kind", name: t`Type`, Cell: KindCell },
    { key: "method", name: t`Payment Method`, Cell: MethodCell },
    { key: "amount", name: t`Amount`, Cell: AmountCell, right: true },
    { key: "pdf", name: "PDF", Cell: PdfCell, right: true },
  ];
  return (
    <Table label={t`Invoices`} columns={columns}>
      {rows.map((row) => (
        <tr key={row.id}>
          {columns.map(({ key, Cell, right }) => (
            <td key={key} data-right={right || undefined}>
              <Cell row={row} onOpen={onOpen} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
