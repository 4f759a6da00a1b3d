import { Trans, useLingui } from "@lingui/react/macro";
import type { Transaction } from "@palisade/contract/http/billing";
import {
  AmountCell,
  DateCell,
  IdCell,
  MethodCell,
  StatusCell,
  TypeCell,
} from "./transaction-cells.tsx";
import classes from "./transactions.module.css";

export function TransactionTable({ rows }: { rows: readonly Transaction[] }) {
  const { t } = useLingui();
  return (
    <table className={classes["table"]} aria-label={t`Transactions`}>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Date</Trans>
          </th>
          <th scope="col">
            <Trans>Transaction ID</Trans>
          </th>
          <th scope="col">
            <Trans>Type</Trans>
          </th>
          <th scope="col">
            <Trans>Payment Method</Trans>
          </th>
          <th scope="col" className={classes["right"]}>
            <Trans>Amount</Trans>
          </th>
          <th scope="col">
            <Trans>Status</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <DateCell row={row} />
            </td>
            <td>
              <IdCell row={row} />
            </td>
            <td>
              <TypeCell row={row} />
            </td>
            <td>
              <MethodCell row={row} />
            </td>
            <td className={classes["right"]}>
              <AmountCell row={row} />
            </td>
            <td>
              <StatusCell row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
