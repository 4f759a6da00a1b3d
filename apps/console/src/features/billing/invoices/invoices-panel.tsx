import { Trans, useLingui } from "@lingui/react/macro";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { IconFileInvoice } from "@tabler/icons-react";
import { useCallback } from "react";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { BillingSearch } from "../billing-search.ts";
import { InvoiceDownloads } from "./invoice-downloads.tsx";
import { InvoiceDrawer } from "./invoice-drawer.tsx";
import { InvoiceFilters } from "./invoice-filters.tsx";
import { InvoiceList } from "./invoice-list.tsx";
import { InvoiceTable } from "./invoice-table.tsx";
import { invoiceFilter, invoicesQuery } from "./invoices.queries.ts";

interface InvoicesPanelProps {
  readonly search: BillingSearch;
  /** Without a page it shows the first one. */
  readonly onShow: (change: Partial<BillingSearch>, replace?: boolean) => void;
}

const noFilters = {
  kind: undefined,
  year: undefined,
  payment_method: undefined,
  number: undefined,
};

/** Receipts, invoices and credit notes, with the details of one in a drawer. */
export function InvoicesPanel({ search, onShow }: InvoicesPanelProps) {
  const { t } = useLingui();
  const query = useQuery(invoicesQuery(search));
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  const isFiltered = Object.values(invoiceFilter(search)).some(Boolean);
  const years = query.data?.years ?? [];
  const Rows = isNarrow ? InvoiceList : InvoiceTable;
  const { page } = search;
  const open = useCallback((invoice: string) => onShow({ invoice, page }), [onShow, page]);
  return (
    <Panel
      prominent
      title={t`Invoices`}
      note={
        <Trans>
          Receipts for top-ups, invoices for purchases and credit notes for refunds, issued moments
          after the payment. Days are in UTC.
        </Trans>
      }
      aside={years.length === 0 ? null : <InvoiceDownloads search={search} years={years} />}
    >
      <InvoiceFilters search={search} years={years} onShow={onShow} />
      <PagedList
        query={query}
        asked={page}
        errorTitle={t`Error fetching invoices`}
        skeletonRows={5}
        onPage={(next, replace) => onShow({ page: next }, replace)}
        empty={
          <NoData
            icon={<IconFileInvoice size={22} stroke={1.6} />}
            text={
              <Trans>
                After your first top-up or purchase, its receipt or invoice appears here as a PDF.
              </Trans>
            }
            filteredText={<Trans>No document matches these filters.</Trans>}
            onClear={isFiltered ? () => onShow(noFilters) : undefined}
          />
        }
      >
        {(rows) => <Rows rows={rows} onOpen={open} />}
      </PagedList>
      {search.invoice === undefined ? null : (
        <InvoiceDrawer
          id={search.invoice}
          onOpen={open}
          onClose={() => onShow({ invoice: undefined, page }, true)}
        />
      )}
    </Panel>
  );
}
