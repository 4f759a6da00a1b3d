import { useLingui } from "@lingui/react/macro";
import type { Transaction } from "@palisade/contract/http/billing";
import { absoluteTime, relativeTime, signedEuros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { SandboxBadge } from "../sandbox-badge.tsx";
import { methodLabels, statusLabels, statusTones, typeLabels } from "./labels.ts";
import shared from "../money-rows.module.css";
import classes from "./transactions.module.css";

/** Props of the cells, which the table and the list share. */
interface CellProps {
  readonly row: Transaction;
}

/** Shows the absolute time, as in bookkeeping; the relative time is on hover. */
export function DateCell({ row }: CellProps) {
  const { locale } = useLocale();
  const at = new Date(row.created_at);
  return (
    <time
      className={shared["date"]}
      dateTime={row.created_at}
      title={relativeTime(locale, at, useNow())}
    >
      {absoluteTime(locale, at)}
    </time>
  );
}

export function IdCell({ row }: CellProps) {
  const { t } = useLingui();
  const id = row.transaction_id;
  return (
    <span className={classes["id"]}>
      <span className="mono">{id}</span>
      <CopyButton value={id} label={t`Copy ${id}`} />
    </span>
  );
}

export function TypeCell({ row }: CellProps) {
  const { i18n } = useLingui();
  // The payment method of a top-up is shown beside it already.
  const description = row.type === "top_up" ? "" : row.description;
  return (
    <>
      <span className={shared["kind"]}>{i18n._(typeLabels[row.type])}</span>
      {description === "" ? null : <span className={shared["description"]}>{description}</span>}
    </>
  );
}

export function MethodCell({ row }: CellProps) {
  const { i18n } = useLingui();
  return (
    <span className={shared["method"]}>
      <span>{i18n._(methodLabels[row.payment_method])}</span>
      {row.is_sandbox ? <SandboxBadge /> : null}
    </span>
  );
}

export function AmountCell({ row }: CellProps) {
  const { locale } = useLocale();
  // Only completed amounts are shown as credited.
  const counts = row.status === "completed";
  return (
    <span
      className={shared["amount"]}
      data-in={(counts && row.amount_cents > 0) || undefined}
      data-void={row.status === "cancelled" || undefined}
    >
      {signedEuros(locale, row.amount_cents)}
    </span>
  );
}

export function StatusCell({ row }: CellProps) {
  const { i18n } = useLingui();
  return <Status tone={statusTones[row.status]}>{i18n._(statusLabels[row.status])}</Status>;
}
