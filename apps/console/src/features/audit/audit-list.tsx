import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { IconListSearch } from "@tabler/icons-react";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import list from "#src/ui/expandable-list.module.css";
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
  const isFiltered = [search.endpoint, search.method, search.status, search.days].some(Boolean);
  return (
    <PagedList
      query={query}
      asked={search.page}
      errorTitle={t`Error fetching audit logs`}
      skeletonRows={6}
      onPage={(page, replace) => onShow({ page }, replace)}
      empty={
        <NoData
          icon={<IconListSearch size={22} stroke={1.6} />}
          text={<Trans>Changes, sign-ins and calls with your API keys are listed here.</Trans>}
          filteredText={<Trans>No call matches these filters.</Trans>}
          onClear={isFiltered ? () => onShow(noFilters) : undefined}
        />
      }
    >
      {(rows) => (
        <ul className={`${list["list"]} ${classes["list"]}`} aria-label={t`Audit Logs`}>
          {rows.map((row) => (
            <li key={row.id}>
              <AuditRow entry={row} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}
