import { Trans, useLingui } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import { bytes, percent as percentText } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { UpgradeButton } from "../plan-change/upgrade-notice.tsx";
import classes from "./overview.module.css";
import { trafficLevel } from "./traffic-level.ts";

interface TrafficPanelProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

export function TrafficPanel({ shield, overview }: TrafficPanelProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const percent = overview.traffic_used_percent;
  const { traffic_limit_bytes: limitBytes } = overview;
  const limit = limitBytes === null ? null : bytes(locale, limitBytes);
  const level = trafficLevel(percent, overview.traffic_used_up);
  const notes = {
    calm: t`Attack traffic is not counted.`,
    high: t`Most of this month's traffic is used.`,
    full: t`This month's traffic is used up. Players can still join for 5 days, or until twice as much is used.`,
    used_up: t`This month's traffic is used up. New players cannot join.`,
  };
  return (
    <Panel title={<Trans>Traffic this month</Trans>}>
      <p className={classes["figure"]}>
        {bytes(locale, overview.traffic)}
        {limit === null ? null : (
          <small>
            <Trans>of {limit}</Trans>
          </small>
        )}
      </p>
      {percent === null ? null : (
        <progress
          className={classes["meter"]}
          data-level={level}
          value={percent}
          max={100}
          aria-label={t`Traffic used this month`}
        />
      )}
      <p className={classes["hint"]}>
        <Trans>Resets on the 1st of every month.</Trans>{" "}
        <span data-level={level}>{notes[level]}</span>
      </p>
      {level === "calm" || overview.traffic_used_up ? null : (
        <div className={classes["actions"]}>
          <UpgradeButton shield={shield} />
        </div>
      )}
      <dl className={classes["facts"]}>
        <div>
          <dt>
            <Trans>Used</Trans>
          </dt>
          <dd>{percent === null ? <Trans>no limit</Trans> : percentText(locale, percent)}</dd>
        </div>
        <div>
          <dt>
            <Trans>Next reset</Trans>
          </dt>
          <dd>
            <RelativeTime at={overview.traffic_resets_at} />
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
