import { useLingui } from "@lingui/react/macro";
import type { Transaction } from "@palisade/contract/http/billing";
import {
  AmountCell,
  DateCell,
  IdCell,
  MethodCell,
  StatusCell,
  TypeCell,
} from "./transaction-cells.tsx";
import shared from "../money-rows.module.css";
import classes from "./transactions.module.css";

/** The transactions on narrow screens: one card each, with amount and status first. */
export function TransactionList({ rows }: { rows: readonly Transaction[] }) {
  const { t } = useLingui();
  return (
    <ul className={shared["list"]} aria-label={t`Transactions`}>
      {rows.map((row) => (
        <li key={row.id}>
          <div className={`${shared["line"]} ${classes["wrapping"]}`}>
            <div>
              <TypeCell row={row} />
            </div>
            <AmountCell row={row} />
          </div>
          <div className={`${shared["line"]} ${classes["wrapping"]}`}>
            <MethodCell row={row} />
            <StatusCell row={row} />
          </div>
          <div className={`${shared["line"]} ${classes["wrapping"]}`}>
            <DateCell row={row} />
            <IdCell row={row} />
          </div>
        </li>
      ))}
    </ul>
  );
}
