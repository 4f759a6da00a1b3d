import { Trans, useLingui } from "@lingui/react/macro";
import type { BalanceForecast } from "@palisade/contract/http/automatic-payments";
import { IconCalendarRepeat } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { euros } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import { forecastQuery } from "../billing.queries.ts";
import classes from "./forecast.module.css";

type Renewal = BalanceForecast["renewals"][number];

/** The next renewal of every shield, and of the support plan. */
export function RenewalsPanel() {
  const { t } = useLingui();
  return (
    <Panel prominent title={t`Next renewals`}>
      <QueryBoundary
        compact
        query={useQuery(forecastQuery)}
        errorTitle={t`Error fetching the forecast`}
      >
        {({ renewals }) =>
          renewals.length === 0 ? (
            <EmptyState
              compact
              icon={<IconCalendarRepeat size={22} stroke={1.6} />}
              title={t`No renewals`}
              text={t`When you have a paid plan, its next charge and whether your balance covers it appear here.`}
            />
          ) : (
            <ul className={classes["list"]} aria-label={t`Next renewals`}>
              {renewals.map((renewal) => (
                <RenewalRow key={renewal.server_id ?? "support"} renewal={renewal} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

function RenewalRow({ renewal }: { renewal: Renewal }) {
  const { locale } = useLocale();
  const { server_id: shieldId, name } = renewal;
  return (
    <li>
      <div className={classes["about"]}>
        {shieldId === null ? (
          <span className={classes["name"]}>
            <Trans>Support plan {name}</Trans>
          </span>
        ) : (
          <Link className={classes["name"]} to={paths.shield} params={{ shieldId }}>
            {name}
          </Link>
        )}
        <p className={classes["detail"]}>
          <Trans>
            Charged on <Day at={renewal.charge_at} />
          </Trans>
        </p>
      </div>
      <div className={classes["cost"]}>
        <span className={classes["price"]}>{euros(locale, renewal.price_cents)}</span>
        <Cover covered={renewal.covered} />
      </div>
    </li>
  );
}

function Cover({ covered }: Pick<Renewal, "covered">) {
  switch (covered) {
    case true:
      return (
        <Status tone="protected">
          <Trans>Covered</Trans>
        </Status>
      );
    case false:
      return (
        <Status tone="attack">
          <Trans>Not covered</Trans>
        </Status>
      );
    case null:
      return (
        <Status tone="idle">
          <Trans>Not from the balance</Trans>
        </Status>
      );
  }
}
