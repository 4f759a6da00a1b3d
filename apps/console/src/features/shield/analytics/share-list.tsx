import { Trans, useLingui } from "@lingui/react/macro";
import { useState, type ReactNode } from "react";
import { count, percent } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Table } from "#src/ui/table.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import classes from "./analytics.module.css";

export interface Share {
  readonly key: string;
  readonly name: ReactNode;
  readonly amount: number;
}

interface ShareListProps {
  readonly label: string;
  readonly nameColumn: string;
  /** The largest first. */
  readonly shares: readonly Share[];
}

const shownMax = 8;

/** Joins by something, with a bar for the share of each. */
export function ShareList({ label, nameColumn, shares }: ShareListProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const [isWhole, setWhole] = useState(false);
  const total = shares.reduce((sum, { amount }) => sum + amount, 0);
  const most = Math.max(1, ...shares.map(({ amount }) => amount));
  const rowCount = shares.length;
  const rows = isWhole ? shares : shares.slice(0, shownMax);
  if (total === 0) {
    return (
      <p className={classes["none"]}>
        <Trans>No joins in this period.</Trans>
      </p>
    );
  }
  return (
    <div className={classes["shares"]}>
      <Table
        label={label}
        dense
        columns={[
          { key: "name", name: nameColumn },
          { key: "joins", name: t`Joins`, right: true },
          { key: "share", name: t`Share`, right: true },
        ]}
      >
        {rows.map(({ key, name, amount }) => (
          <tr key={key}>
            <td>
              <span className={classes["shareName"]}>{name}</span>
              <span className={classes["bar"]} aria-hidden="true">
                <span style={{ width: `${(amount / most) * 100}%` }} />
              </span>
            </td>
            <td data-right>{count(locale, amount)}</td>
            <td data-right>{percent(locale, (amount / total) * 100)}</td>
          </tr>
        ))}
      </Table>
      {shares.length > shownMax ? (
        <p className={classes["more"]}>
          <TextButton onClick={() => setWhole(!isWhole)}>
            {isWhole ? <Trans>Show fewer</Trans> : <Trans>Show all {rowCount}</Trans>}
          </TextButton>
        </p>
      ) : null}
    </div>
  );
}
