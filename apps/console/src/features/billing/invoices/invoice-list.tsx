import { useLingui } from "@lingui/react/macro";
import {
  AmountCell,
  DateCell,
  KindCell,
  MethodCell,
  NumberCell,
  PdfCell,
} from "./invoice-cells.tsx";
import type { InvoiceRowsProps } from "./invoice-table.tsx";
import shared from "../money-rows.module.css";

/** The documents on narrow screens: one card each, with kind and amount first. */
export function InvoiceList({ rows, onOpen }: InvoiceRowsProps) {
  const { t } = useLingui();
  return (
    <ul className={shared["list"]} aria-label={t`Invoices`}>
      {rows.map((row) => (
        <li key={row.id}>
          <div className={shared["line"]}>
            <div>
              <KindCell row={row} onOpen={onOpen} />
            </div>
            <AmountCell row={row} onOpen={onOpen} />
          </div>
          <div className={shared["line"]}>
            <MethodCell row={row} onOpen={onOpen} />
            <DateCell row={row} onOpen={onOpen} />
          </div>
          <div className={shared["line"]}>
            <NumberCell row={row} onOpen={onOpen} />
            <PdfCell row={row} onOpen={onOpen} />
          </div>
        </li>
      ))}
    </ul>
  );
}
