import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DashboardInfo } from "@palisade/contract/http/profile";
import type { UseQueryResult } from "@tanstack/react-query";
import { count, euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Segments } from "#src/ui/segments.tsx";
import { Sparkline } from "#src/ui/sparkline.tsx";
import { StatCard } from "#src/ui/stat-card.tsx";
import classes from "./dashboard.module.css";

const unknown: DashboardInfo = {
  balance: "0.00",
  balance_cents: 0,
  balance_history: [],
  blocked_packets: 0,
  game_shields: 0,
  active_game_shields: 0,
  average_online: 0,
  players_history: [],
  blocked_history: [],
};

export function DashboardStats({ query }: { query: UseQueryResult<DashboardInfo> }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  if (query.isError && !query.data) {
    return (
      <Panel>
        <ErrorState
          compact
          error={query.error}
          title={t`Error fetching dashboard info`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }

  const info = query.data ?? unknown;
  const loading = query.isPending;
  const active = info.active_game_shields;
  const blockedDay = info.blocked_history.reduce((sum, hour) => sum + hour, 0);
  const peakHour = Math.max(0, ...info.players_history);
  const balance = euros(locale, info.balance_cents);
  const monthAgo = euros(locale, info.balance_history[0] ?? 0);
  const blocked = count(locale, blockedDay);
  const peak = count(locale, peakHour);
  const average = count(locale, info.average_online);

  return (
    <div className={classes["stats"]} aria-busy={loading}>
      <StatCard
        title={t`Account balance`}
        loading={loading}
        value={balance}
        note={
          <button
            type="button"
            className={classes["recharge"]}
            onClick={() => openModal("recharge balance")}
          >
            <Trans>Recharge balance</Trans>
          </button>
        }
        picture={
          <Sparkline
            values={info.balance_history.map((cents) => Math.max(0, cents))}
            tone="accent"
            label={t`Balance over 30 days: from ${monthAgo} to ${balance}`}
          />
        }
      />
      <StatCard
        title={t`Blocked packets`}
        loading={loading}
        value={count(locale, info.blocked_packets)}
        note={<Trans>Last 30 days</Trans>}
        picture={
          <Sparkline
            values={info.blocked_history}
            tone={blockedDay > 0 ? "attack" : "idle"}
            label={t`Blocked in the last 24 hours: ${blocked}`}
          />
        }
      />
      <StatCard
        title={t`Your game shields`}
        loading={loading}
        value={count(locale, info.game_shields)}
        note={plural(active, { one: "# active", other: "# active" })}
        picture={<Segments total={info.game_shields} filled={active} />}
      />
      <StatCard
        title={t`Average online`}
        loading={loading}
        value={average}
        note={<Trans>Last 24 hours, peak {peak}</Trans>}
        picture={
          <Sparkline
            values={info.players_history}
            tone={peakHour > 0 ? "protected" : "idle"}
            label={t`Players in the last 24 hours: average ${average}, peak hour ${peak}`}
          />
        }
      />
    </div>
  );
}
