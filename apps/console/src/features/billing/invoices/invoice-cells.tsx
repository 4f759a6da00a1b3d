import { Trans, useLingui } from "@lingui/react/macro";
import type { Invoice } from "@palisade/contract/http/invoices";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { euros, fullTime, utcDay } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { IconButton } from "#src/ui/icon-button.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { SandboxBadge } from "../sandbox-badge.tsx";
import { savePdf } from "./invoices.queries.ts";
import { documentMethodLabels, kindLabels } from "./labels.ts";
import shared from "../money-rows.module.css";
import classes from "./invoices.module.css";

/** Props of the cells, which the table and the list share. */
interface CellProps {
  readonly row: Invoice;
  readonly onOpen: (id: string) => void;
}

export function DateCell({ row }: CellProps) {
  const { locale } = useLocale();
  const at = new Date(row.issued_at);
  return (
    <time className={shared["date"]} dateTime={row.issued_at} title={fullTime(locale, at)}>
      {utcDay(locale, at)}
    </time>
  );
}

export function NumberCell({ row, onOpen }: CellProps) {
  return (
    <span className={`mono ${classes["number"]}`}>
      <TextButton onClick={() => onOpen(row.id)}>{row.number}</TextButton>
    </span>
  );
}

export function KindCell({ row }: CellProps) {
  const { i18n } = useLingui();
  return (
    <>
      <span className={shared["kind"]}>{i18n._(kindLabels[row.kind])}</span>
      <span className={shared["description"]}>{row.description}</span>
    </>
  );
}

export function MethodCell({ row }: CellProps) {
  const { i18n } = useLingui();
  return (
    <span className={shared["method"]}>
      <span>{i18n._(documentMethodLabels[row.payment_method])}</span>
      {row.is_sandbox ? <SandboxBadge /> : null}
    </span>
  );
}

export function AmountCell({ row }: CellProps) {
  const { locale } = useLocale();
  const vat = euros(locale, row.tax_cents);
  return (
    <span className={shared["sums"]}>
      <span className={shared["amount"]}>{euros(locale, row.total_cents)}</span>
      {row.tax_cents === 0 ? null : (
        <span className={shared["description"]}>
          <Trans>incl. {vat} VAT</Trans>
        </span>
      )}
    </span>
  );
}

export function PdfCell({ row }: CellProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { number } = row;
  const save = useMutation({
    mutationFn: () => savePdf(row, locale),
    onError: (error) => toastError(error, t`Failed to download file`),
  });
  return (
    <IconButton
      hint={t`Download PDF`}
      label={t`Download ${number} as PDF`}
      icon={<IconFileTypePdf size={16} stroke={1.6} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    />
  );
}
