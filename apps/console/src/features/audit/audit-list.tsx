import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { IconListSearch } from "@tabler/icons-react";
import { useEffect } from "react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Pager } from "#src/ui/pager.tsx";
import classes from "./audit.module.css";
import { auditQuery } from "./audit.queries.ts";
import { AuditRow } from "./audit-row.tsx";
import type { AuditSearch } from "./audit-search.ts";

interface AuditListProps {
  readonly search: AuditSearch;
  readonly onShow: (change: Partial<AuditSearch>, replace?: boolean) => void;
}

const noFilters = { endpoint: undefined, method: undefined, status: undefined, days: undefined };

export function AuditList({ search, onShow }: AuditListProps) {
  const { t } = useLingui();
  const query = useQuery(auditQuery(search));
  const lastPage = query.data?.last_page;
  const asked = search.page ?? 1;

  // An old address may name a page that is no more.
  useEffect(() => {
    if (lastPage !== undefined && asked > lastPage && !query.isPlaceholderData) {
      onShow({ page: lastPage === 1 ? undefined : lastPage }, true);
    }
  }, [lastPage, asked, query.isPlaceholderData, onShow]);

  if (query.isPending) return <AuditSkeleton />;
  if (!query.data) {
    return (
      <ErrorState
        error={query.error}
        title={t`Error fetching audit logs`}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { data: rows, current_page: page, last_page: last, total } = query.data;
  if (total === 0) return <Nothing search={search} onShow={onShow} />;
  return (
    <>
      <ul
        className={classes["list"]}
        aria-label={t`Audit Logs`}
        aria-busy={query.isPlaceholderData}
      >
        {rows.map((row) => (
          <li key={row.id}>
            <AuditRow entry={row} />
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        lastPage={last}
        onPage={(next) => onShow({ page: next === 1 ? undefined : next })}
      />
    </>
  );
}

function Nothing({ search, onShow }: AuditListProps) {
  const { t } = useLingui();
  const isFiltered = [search.endpoint, search.method, search.status, search.days].some(Boolean);
  return (
    <EmptyState
      compact
      icon={<IconListSearch size={22} stroke={1.6} />}
      title={t`No data to display`}
      text={
        isFiltered ? (
          <Trans>No call matches these filters.</Trans>
        ) : (
          <Trans>Changes, sign-ins and calls with your API keys are listed here.</Trans>
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

function AuditSkeleton() {
  return (
    <LoadingRegion className={classes["skeleton"]}>
      {[0, 1, 2, 3, 4, 5].map((index) => (
        <Skeleton key={index} height={22} />
      ))}
    </LoadingRegion>
  );
}
