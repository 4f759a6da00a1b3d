import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useMemo } from "react";
import { bandwidth, count, perSecond } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { overviewQuery } from "../shield.queries.ts";
import { DoctorPanel } from "../doctor/doctor-panel.tsx";
import { AttackPanel } from "./attack-panel.tsx";
import { AttackTimeline } from "./attack-timeline.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import { lastHour } from "./last-hour.ts";
import classes from "./overview.module.css";
import { PaymentBanners } from "./payment-banners.tsx";
import { RenewalPanel } from "./renewal-panel.tsx";
import { StateBanner } from "./state-banner.tsx";
import { TrafficPanel } from "./traffic-panel.tsx";
import { useAttacks } from "./use-attacks.ts";
import { Panel } from "#src/ui/panel.tsx";
import { TimeChart, type Series } from "#src/ui/time-chart.tsx";

export function OverviewSection({ shield }: { shield: Server }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const query = useQuery(overviewQuery(shield.id));
  const { data, dataUpdatedAt } = query;
  const attacks = useAttacks(shield.id);
  const { running } = attacks;
  const hour = useMemo(
    () => (data ? lastHour(data, new Date(dataUpdatedAt)) : null),
    [data, dataUpdatedAt],
  );

  if (!data || !hour) {
    if (!query.isError) return <OverviewSkeleton />;
    return (
      <ErrorState
        error={query.error}
        title={t`Failed to fetch server info`}
        onRetry={() => void query.refetch()}
      />
    );
  }

  const whole = (value: number) => count(locale, value);
  const joins = (value: number) => perSecond(locale, value);
  return (
    <div className={classes["overview"]}>
      {query.isError ? (
        <Banner tone="attack" live="polite" icon={<IconPlugConnectedX size={17} stroke={1.6} />}>
          <Trans>Live figures are paused because the connection was lost. Trying again.</Trans>
        </Banner>
      ) : null}
      {running && data.status === "active" ? (
        <AttackPanel
          key={running.id}
          attack={running}
          shieldId={shield.id}
          antibot={data.antibot}
        />
      ) : (
        <StateBanner shield={shield} overview={data} />
      )}
      <PaymentBanners shield={shield} overview={data} />
      <div className={classes["grid"]}>
        <GraphPanel
          title={t`Connections per second`}
          value={joins(data.connections_per_second)}
          times={hour.times}
          format={joins}
          series={[
            { label: t`admitted`, tone: "protected", values: hour.admitted },
            { label: t`refused`, tone: "attack", values: hour.refused },
          ]}
        />
        <GraphPanel
          title={t`Players online`}
          value={whole(data.players_online)}
          times={hour.times}
          format={whole}
          series={[{ label: t`players`, tone: "protected", values: hour.players }]}
        />
        <ConnectPanel shield={shield} overview={data} />
        <GraphPanel
          title={t`Bandwidth`}
          value={bandwidth(locale, data.bandwidth_bps)}
          times={hour.times}
          format={(value) => bandwidth(locale, value)}
          series={[{ label: t`both ways`, tone: "accent", values: hour.bandwidth }]}
        />
        <GraphPanel
          title={t`Blocked in 24 hours`}
          value={whole(data.blocked_connections)}
          times={hour.times}
          format={whole}
          series={[{ label: t`refused a minute`, tone: "attack", values: hour.refusedCount }]}
        />
        <TrafficPanel shield={shield} overview={data} />
        <RenewalPanel shield={shield} overview={data} />
        {data.status === "active" ? <DoctorPanel shieldId={shield.id} /> : null}
      </div>
      <AttackTimeline shieldId={shield.id} {...attacks} />
    </div>
  );
}

function OverviewSkeleton() {
  return (
    <LoadingRegion>
      <div className={classes["grid"]}>
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <Skeleton key={index} height={296} radius={10} />
        ))}
      </div>
    </LoadingRegion>
  );
}

interface GraphPanelProps {
  readonly title: string;
  /** The current value. */
  readonly value: string;
  readonly times: readonly Date[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

function GraphPanel({ title, value, times, series, format }: GraphPanelProps) {
  return (
    <Panel title={title}>
      <p className={classes["figure"]}>{value}</p>
      <TimeChart label={title} times={times} series={series} format={format} height={150} />
    </Panel>
  );
}
