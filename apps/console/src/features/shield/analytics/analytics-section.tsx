import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Analytics } from "@palisade/contract/http/analytics";
import type { Server } from "@palisade/contract/http/servers";
import { IconChartHistogram, IconHistory, IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { day } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { ShieldSearch } from "../shield-search.ts";
import { analyticsQuery } from "./analytics.queries.ts";
import classes from "./analytics.module.css";
import { Charts } from "./charts.tsx";
import { EventsPanel } from "./events-panel.tsx";
import { HoursPanel, RetentionPanel } from "./people-panels.tsx";
import { periodOf } from "./period.ts";
import { SharePanels } from "./share-panels.tsx";
import { StatRow } from "./stat-row.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useMarks } from "./use-marks.ts";

export function AnalyticsSection({ shield }: { readonly shield: Server }) {
  const { t } = useLingui();
  const { id } = shield;
  const navigate = useNavigate();
  const search = useSearch({ from: paths.shield });
  const period = periodOf(search);
  const query = useQuery(analyticsQuery(id, period, search.compare === true));
  const { data } = query;

  const show = (change: Partial<ShieldSearch>, replace = false) =>
    void navigate({
      to: paths.shield,
      params: { shieldId: id, section: "analytics" },
      search: (now: ShieldSearch) => ({ ...now, ...change }),
      replace,
      resetScroll: false,
    });

  return (
    <div className={classes["page"]}>
      <Toolbar shieldId={id} search={search} period={period} data={data} onShow={show} />
      {query.isError && data ? (
        <Banner tone="attack" live="polite" icon={<IconPlugConnectedX size={17} stroke={1.6} />}>
          <Trans>Live figures are paused because the connection was lost. Trying again.</Trans>
        </Banner>
      ) : null}
      {data ? (
        <Content
          shield={shield}
          data={data}
          readAtMs={query.dataUpdatedAt}
          isStale={query.isPlaceholderData}
          search={search}
          onShow={show}
        />
      ) : query.isPending ? (
        <AnalyticsSkeleton />
      ) : (
        <Panel>
          <ErrorState
            error={query.error}
            title={t`Failed to load the analytics`}
            onRetry={() => void query.refetch()}
          />
        </Panel>
      )}
    </div>
  );
}

interface ContentProps {
  readonly shield: Server;
  readonly data: Analytics;
  readonly readAtMs: number;
  /** The answer is of the period that was chosen before. */
  readonly isStale: boolean;
  readonly search: ShieldSearch;
  readonly onShow: (change: Partial<ShieldSearch>, replace?: boolean) => void;
}

function Content({ shield, data, readAtMs, isStale, search, onShow }: ContentProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const marks = useMarks(data.marks);
  const keptFrom = day(locale, new Date(data.kept_from));
  if (hasNothing(data)) {
    return (
      <Panel>
        <EmptyState
          icon={<IconChartHistogram size={22} stroke={1.6} />}
          title={t`No data found`}
          text={
            <Trans>
              Edges have reported nothing in this period. Figures appear about a minute after the
              first player or bot reaches the shield.
            </Trans>
          }
        />
      </Panel>
    );
  }
  return (
    <div className={classes["content"]} aria-busy={isStale}>
      {Date.parse(data.from) < Date.parse(data.kept_from) ? (
        <Banner tone="neutral" icon={<IconHistory size={17} stroke={1.6} />}>
          <Trans>The plan of this shield keeps figures from {keptFrom} on.</Trans>
        </Banner>
      ) : null}
      <StatRow totals={data.totals} before={data.before} />
      <div className={classes["grid"]}>
        <Charts
          shieldName={shield.server_name}
          data={data}
          marks={marks}
          readAtMs={readAtMs}
          search={search}
          onShow={onShow}
        />
        <SharePanels data={data} />
        {data.hours_of_week === null ? null : (
          <HoursPanel
            hours={data.hours_of_week}
            shown={search.heat ?? "players"}
            onShow={(shown) => onShow({ heat: shown === "joins" ? shown : undefined }, true)}
          />
        )}
        {data.retention.length === 0 ? null : <RetentionPanel retention={data.retention} />}
        <EventsPanel shield={shield} marks={marks} />
      </div>
    </div>
  );
}

/** No edge has reported anything, neither players nor refusals. */
function hasNothing({ series, before }: Analytics): boolean {
  const isUnknown = (value: number | null) => value === null;
  return series.joins.every(isUnknown) && (before?.series.joins.every(isUnknown) ?? true);
}

function AnalyticsSkeleton() {
  return (
    <LoadingRegion className={classes["content"]}>
      <div className={classes["stats"]}>
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <Skeleton key={index} height={148} radius={10} />
        ))}
      </div>
      <div className={classes["grid"]}>
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} height={296} radius={10} />
        ))}
      </div>
    </LoadingRegion>
  );
}
