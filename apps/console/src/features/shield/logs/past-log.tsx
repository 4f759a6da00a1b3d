import { Skeleton } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { LogEntry } from "@palisade/contract/http/logs";
import { IconListSearch } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { NoData } from "#src/ui/no-data.tsx";
import { LogList } from "./log-list.tsx";
import classes from "./logs.module.css";
import { logQuery, logSettingsQuery } from "./logs.queries.ts";
import { isFiltered, type LogSearch } from "./logs-search.ts";

interface PastLogProps {
  readonly shieldId: string;
  readonly search: LogSearch;
  readonly details: (entry: LogEntry) => ReactNode;
  readonly onCountries: (codes: readonly string[]) => void;
  readonly onClear: () => void;
}

/** The log as far as the plan keeps it. It is read again at the chosen interval. */
export function PastLog({ shieldId, search, details, onCountries, onClear }: PastLogProps) {
  const { t } = useLingui();
  const settings = useQuery(logSettingsQuery(shieldId)).data;
  const seconds = settings?.logs_refresh_interval ?? 0;
  const query = useInfiniteQuery({
    ...logQuery(shieldId, search),
    // A reader further down keeps the rows where they are.
    refetchInterval: ({ state }) =>
      seconds > 0 && (state.data?.pages.length ?? 0) <= 1 ? seconds * 1000 : false,
  });
  const pages = query.data?.pages ?? [];
  const entries = pages.flatMap(({ data }) => data);
  const codes = [...new Set(entries.flatMap(({ country }) => country ?? []))].toSorted().join();
  useEffect(() => {
    onCountries(codes === "" ? [] : codes.split(","));
  }, [codes, onCountries]);

  if (query.isPending) {
    return (
      <LoadingRegion className={classes["loading"]}>
        {Array.from({ length: 10 }, (_, index) => (
          <Skeleton key={index} height={22} />
        ))}
      </LoadingRegion>
    );
  }
  if (query.data === undefined) {
    return (
      <ErrorState
        compact
        error={query.error}
        title={t`Error fetching the log`}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const days = pages[0]?.days ?? 0;
  if (entries.length === 0) {
    if (isFiltered(search)) {
      return (
        <NoData
          icon={<IconListSearch size={22} stroke={1.6} />}
          text=""
          filteredText={t`No login matches these filters.`}
          onClear={onClear}
        />
      );
    }
    return (
      <EmptyState
        compact
        icon={<IconListSearch size={22} stroke={1.6} />}
        title={t`No logs found`}
        text={t`Logins and kicks appear here as soon as players connect through the shield.`}
      />
    );
  }
  return (
    <>
      <LogList
        entries={entries}
        details={details}
        busy={query.isPlaceholderData}
        onNearEnd={() => {
          // After a failure the person asks, so that it does not repeat itself.
          const mayRead = query.hasNextPage && !query.isFetching && !query.isFetchNextPageError;
          if (mayRead) void query.fetchNextPage();
        }}
      />
      {query.isFetchNextPageError ? (
        <ErrorState
          compact
          error={query.error}
          title={t`Error fetching the log`}
          onRetry={() => void query.fetchNextPage()}
        />
      ) : null}
      <p className={classes["foot"]}>
        {query.hasNextPage ? (
          query.isFetchingNextPage ? (
            <Trans>Loading older entries…</Trans>
          ) : (
            <Trans>Scroll down for older entries.</Trans>
          )
        ) : (
          <Plural
            value={days}
            one="These are all entries. The plan keeps them for # day."
            other="These are all entries. The plan keeps them for # days."
          />
        )}
      </p>
    </>
  );
}
