import { Trans, useLingui } from "@lingui/react/macro";
import type { ServerOverview } from "@palisade/contract/http/servers";
import { percent as percentText } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { usedPercent } from "./last-hour.ts";
import classes from "./overview.module.css";

export function TrafficPanel({ overview }: { overview: ServerOverview }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const percent = usedPercent(overview.traffic, overview.traffic_limit_bytes);
  const limit = overview.traffic_available;
  return (
    <Panel title={<Trans>Traffic this month</Trans>}>
      <p className={classes["figure"]}>
        {overview.traffic_used}
        {limit === null ? null : (
          <small>
            <Trans>of {limit}</Trans>
          </small>
        )}
      </p>
      {percent === null ? null : (
        <progress
          className={classes["meter"]}
          value={percent}
          max={100}
          aria-label={t`Traffic used this month`}
        />
      )}
      <p className={classes["hint"]}>
        <Trans>Resets on the 1st of every month. Attack traffic is not counted.</Trans>
      </p>
      <dl className={classes["facts"]}>
        <div>
          <dt>
            <Trans>Used</Trans>
          </dt>
          <dd>{percent === null ? <Trans>no limit</Trans> : percentText(locale, percent)}</dd>
        </div>
        <div>
          <dt>
            <Trans>Plan</Trans>
          </dt>
          <dd>{overview.pricing_plan.name}</dd>
        </div>
      </dl>
    </Panel>
  );
}
