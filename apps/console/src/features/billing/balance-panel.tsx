import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { IconPlus } from "@tabler/icons-react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { Day } from "#src/ui/time.tsx";
import { cardsQuery, forecastQuery } from "./billing.queries.ts";
import classes from "./billing.module.css";
import { balanceDurationOf } from "./forecast/balance-duration.ts";

export function BalancePanel() {
  const { t } = useLingui();
  const { locale } = useLocale();
  const user = useCurrentUser();
  return (
    <Panel title={t`Account balance`}>
      <div className={classes["balance"]}>
        <div>
          <div
            className={classes["amount"]}
            data-debt={(user?.balance_cents ?? 0) < 0 || undefined}
          >
            {user ? euros(locale, user.balance_cents) : <Skeleton width={120} height={32} />}
          </div>
          <div className={classes["note"]}>
            <Lasting />
          </div>
        </div>
        <Button
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => openModal("recharge balance")}
        >
          <Trans>Recharge balance</Trans>
        </Button>
      </div>
    </Panel>
  );
}

/** How long the balance lasts. A failure is shown by the panel of the renewals. */
function Lasting() {
  const { locale } = useLocale();
  const forecast = useQuery(forecastQuery).data;
  const cards = useQuery(cardsQuery).data?.cards;
  if (forecast === undefined) return <Trans>Plans are paid from this balance</Trans>;
  const duration = balanceDurationOf(forecast, (cards ?? []).length > 0);
  const monthly = euros(locale, forecast.monthly_cents);
  switch (duration.kind) {
    case "nothing":
      return <Trans>Plans are paid from this balance</Trans>;
    case "until":
      return (
        <>
          <p className={classes["lasting"]}>
            <Trans>
              Balance lasts until <Day at={duration.at} />
            </Trans>
          </p>
          <p>
            <Trans>Renewals cost {monthly} a month</Trans>
          </p>
        </>
      );
    case "long":
      return <Trans>Balance lasts for more than two years. Renewals cost {monthly} a month.</Trans>;
    case "card":
      return <Trans>Your default card pays renewals first. They cost {monthly} a month.</Trans>;
    default:
      return duration satisfies never;
  }
}
