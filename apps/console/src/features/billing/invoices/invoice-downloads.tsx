import { Trans, useLingui } from "@lingui/react/macro";
import { IconDownload, IconFileZip } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import type { BillingSearch } from "../billing-search.ts";
import { saveInvoiceTable, saveYear } from "./invoices.queries.ts";
import classes from "./invoices.module.css";

interface InvoiceDownloadsProps {
  readonly search: BillingSearch;
  /** Years that have any document, newest first. */
  readonly years: readonly number[];
}

/** The filtered list as a table, and all documents of the chosen or newest year as one archive. */
export function InvoiceDownloads({ search, years }: InvoiceDownloadsProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const onError = (error: unknown) => toastError(error, t`Failed to download file`);
  const table = useMutation({ mutationFn: () => saveInvoiceTable(search), onError });
  const archive = useMutation({ mutationFn: (of: number) => saveYear(of, locale), onError });
  const year = years.find((known) => known === search.year) ?? years[0];
  return (
    <div className={classes["downloads"]}>
      <ActionButton
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.6} />}
        loading={table.isPending}
        onClick={() => table.mutate()}
      >
        <Trans>Export CSV</Trans>
      </ActionButton>
      {year === undefined ? null : (
        <ActionButton
          variant="default"
          leftSection={<IconFileZip size={16} stroke={1.6} />}
          loading={archive.isPending}
          onClick={() => archive.mutate(year)}
        >
          <Trans>All of {String(year)} as ZIP</Trans>
        </ActionButton>
      )}
    </div>
  );
}
