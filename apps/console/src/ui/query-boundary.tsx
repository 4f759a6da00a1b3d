import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";
import { LoadingRegion } from "./loading-region.tsx";
import classes from "./placeholder.module.css";

interface QueryBoundaryProps<T> {
  readonly query: UseQueryResult<T>;
  readonly errorTitle: string;
  /** A placeholder as large as the content; two lines by default. */
  readonly skeleton?: ReactNode;
  readonly compact?: boolean;
  readonly children: (data: T) => ReactNode;
}

/** Shows the data of a query, a skeleton while it loads, and a retry if it fails. */
export function QueryBoundary<T>(props: QueryBoundaryProps<T>) {
  const { query, errorTitle, skeleton, compact = false, children } = props;
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["skeleton"]}>
        {skeleton ?? (
          <>
            <Skeleton height={20} />
            <Skeleton height={20} />
          </>
        )}
      </LoadingRegion>
    );
  }
  if (query.data === undefined) {
    return (
      <ErrorState
        error={query.error}
        title={errorTitle}
        onRetry={() => void query.refetch()}
        compact={compact}
      />
    );
  }
  return children(query.data);
}
