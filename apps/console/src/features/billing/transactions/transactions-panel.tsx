import { Trans, useLingui } from "@lingui/react/macro";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { IconReceipt } from "@tabler/icons-react";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { transactionsQuery } from "../billing.queries.ts";
import type { BillingSearch } from "../billing-search.ts";
import { TransactionFilters } from "./transaction-filters.tsx";
import { TransactionList } from "./transaction-list.tsx";
import { TransactionTable } from "./transaction-table.tsx";

interface TransactionsPanelProps {
  readonly search: BillingSearch;
  /** Without a page it shows the first one. */
  readonly onShow: (change: Partial<BillingSearch>, replace?: boolean) => void;
}

const noFilters = { type: undefined, payment_method: undefined, status: undefined };

export function TransactionsPanel({ search, onShow }: TransactionsPanelProps) {
  const { t } = useLingui();
  return (
    <Panel
      prominent
      title={t`Transactions`}
      aside={<TransactionFilters search={search} onShow={onShow} />}
    >
      <Content search={search} onShow={onShow} />
    </Panel>
  );
}

function Content({ search, onShow }: TransactionsPanelProps) {
  const { t } = useLingui();
  const query = useQuery(transactionsQuery(search));
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  const isFiltered = [search.type, search.payment_method, search.status].some(Boolean);
  const Rows = isNarrow ? TransactionList : TransactionTable;
  return (
    <PagedList
      query={query}
      asked={search.page}
      errorTitle={t`Error fetching transactions`}
      skeletonRows={5}
      onPage={(page, replace) => onShow({ page }, replace)}
      empty={
        <NoData
          icon={<IconReceipt size={22} stroke={1.6} />}
          text={<Trans>Your top-ups and purchases appear here.</Trans>}
          filteredText={<Trans>No transaction matches these filters.</Trans>}
          onClear={isFiltered ? () => onShow(noFilters) : undefined}
        />
      }
    >
      {(rows) => <Rows rows={rows} />}
    </PagedList>
  );
}
