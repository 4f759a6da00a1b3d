import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { IconReceipt } from "@tabler/icons-react";
import { useEffect } from "react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Pager } from "#src/ui/pager.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { transactionsQuery } from "../billing.queries.ts";
import type { BillingSearch } from "../billing-search.ts";
import { TransactionFilters } from "./transaction-filters.tsx";
import { TransactionList } from "./transaction-list.tsx";
import { TransactionTable } from "./transaction-table.tsx";
import classes from "./transactions.module.css";

interface TransactionsPanelProps {
  readonly search: BillingSearch;
  /** Without a page it is the first: other filters have other pages. */
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
  const lastPage = query.data?.last_page;
  const asked = search.page ?? 1;

  // An old address may name a page that is no more.
  useEffect(() => {
    if (lastPage !== undefined && asked > lastPage && !query.isPlaceholderData) {
      onShow({ page: lastPage === 1 ? undefined : lastPage }, true);
    }
  }, [lastPage, asked, query.isPlaceholderData, onShow]);

  if (query.isPending) return <TransactionsSkeleton />;
  if (!query.data) {
    return (
      <ErrorState
        error={query.error}
        title={t`Error fetching transactions`}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { data: rows, current_page: page, last_page: last, total } = query.data;
  if (total === 0) return <Nothing search={search} onShow={onShow} />;
  const Rows = isNarrow ? TransactionList : TransactionTable;
  return (
    <>
      <Rows rows={rows} />
      <Pager
        page={page}
        lastPage={last}
        onPage={(next) => onShow({ page: next === 1 ? undefined : next })}
      />
    </>
  );
}

function Nothing({ search, onShow }: TransactionsPanelProps) {
  const { t } = useLingui();
  const isFiltered = [search.type, search.payment_method, search.status].some(Boolean);
  return (
    <EmptyState
      compact
      icon={<IconReceipt size={22} stroke={1.6} />}
      title={t`No data to display`}
      text={
        isFiltered ? (
          <Trans>No transaction matches these filters.</Trans>
        ) : (
          <Trans>Top-ups, purchases and renewals appear here as soon as there are any.</Trans>
        )
      }
      action={
        isFiltered ? (
          <Button variant="default" onClick={() => onShow(noFilters)}>
            <Trans>Clear filters</Trans>
          </Button>
        ) : undefined
      }
    />
  );
}

function TransactionsSkeleton() {
  return (
    <LoadingRegion className={classes["skeleton"]}>
      {[0, 1, 2, 3, 4].map((index) => (
        <Skeleton key={index} height={22} />
      ))}
    </LoadingRegion>
  );
}
