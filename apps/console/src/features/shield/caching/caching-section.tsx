import { Skeleton } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { useMayChange } from "../may-change.ts";
import type { Change } from "../receipt.tsx";
import { CacheStats } from "./cache-stats.tsx";
import classes from "./caching.module.css";
import { CachingConflict } from "./caching-conflict.tsx";
import { cachingQuery } from "./caching.queries.ts";
import { TogglePanel } from "./toggle-panel.tsx";
import { useCaching } from "./use-caching.ts";

interface CachingSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function CachingSection({ shield, onChange }: CachingSectionProps) {
  const { t } = useLingui();
  const query = useQuery({ ...cachingQuery(shield.id), refetchInterval: 30_000 });
  const mayChange = useMayChange();
  const { toggle, purge, refused, dropRefused } = useCaching(shield.id, onChange);

  if (query.isPending) {
    return (
      <LoadingRegion className={classes["columns"]}>
        <Skeleton height={210} radius={10} />
        <Skeleton height={210} radius={10} />
      </LoadingRegion>
    );
  }
  if (!query.data) {
    return (
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Error fetching caching settings`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }
  const caching = query.data.value;
  return (
    <>
      {refused === null ? null : (
        <CachingConflict
          wanted={refused}
          onApply={() => toggle.mutate(refused)}
          onKeep={dropRefused}
        />
      )}
      <div className={classes["columns"]}>
        <TogglePanel
          shield={shield}
          caching={caching}
          enabled={toggle.isPending ? toggle.variables : caching.caching_enabled}
          busy={toggle.isPending || !mayChange}
          onToggle={toggle.mutate}
        />
        <CacheStats caching={caching} busy={purge.isPending} onPurge={() => purge.mutate()} />
      </div>
    </>
  );
}
