import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";
import { LoadingRegion } from "./loading-region.tsx";
import classes from "./paged-list.module.css";
import { Pager } from "./pager.tsx";

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly current_page: number;
  readonly last_page: number;
  readonly total: number;
}

interface PagedListProps<Row> {
  readonly query: UseQueryResult<ListPage<Row>>;
  /** The page in the address; undefined is the first. */
  readonly asked: number | undefined;
  readonly errorTitle: string;
  readonly skeletonRows: number;
  readonly empty: ReactNode;
  /** Undefined is the first page, which is not in the address. */
  readonly onPage: (page: number | undefined, replace?: boolean) => void;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list whose page is in the address, with its loading, error and empty states. */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { query, asked = 1, onPage } = props;
  const lastPage = query.data?.last_page;

  // An old address may name a page that no longer exists.
  useEffect(() => {
    if (lastPage !== undefined && asked > lastPage && !query.isPlaceholderData) {
      onPage(lastPage === 1 ? undefined : lastPage, true);
    }
  }, [lastPage, asked, query.isPlaceholderData, onPage]);

  if (query.isPending) return <Skeletons rows={props.skeletonRows} />;
  if (!query.data) {
    return (
      <ErrorState
        error={query.error}
        title={props.errorTitle}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { data: rows, current_page: page, last_page: last, total } = query.data;
  if (total === 0) return props.empty;
  return (
    <>
      <div aria-busy={query.isPlaceholderData}>{props.children(rows)}</div>
      <Pager page={page} lastPage={last} onPage={(next) => onPage(next === 1 ? undefined : next)} />
    </>
  );
}

function Skeletons({ rows }: { rows: number }) {
  return (
    <LoadingRegion className={classes["skeletons"]}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={22} />
      ))}
    </LoadingRegion>
  );
}
