import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan, ServerLocation } from "@palisade/contract/http/plans";
import { useCurrentUser } from "#src/api/current-user.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import type { SetupValues } from "./draft.ts";
import classes from "./setup.module.css";

interface SetupSummaryProps {
  readonly values: SetupValues;
  readonly plan: PricingPlan | undefined;
  readonly location: ServerLocation | undefined;
  readonly busy: boolean;
}

/** Price and balance stay in view, and the last step is a plain list of what will happen. */
export function SetupSummary({ values, plan, location, busy }: SetupSummaryProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const user = useCurrentUser();
  const address = values.real_ip === "" ? "" : `${values.real_ip}:${values.real_port}`;
  const rows: [string, string | undefined][] = [
    [t`Name`, values.server_name],
    [t`Forwards to`, address],
    [t`Plan`, plan?.name],
    [t`Location`, location?.display_name],
    [t`Domain`, values.domain],
  ];

  return (
    <Panel prominent title={<Trans>Summary</Trans>} className={classes["summary"]}>
      <dl className={classes["list"]}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            {value ? <dd>{value}</dd> : <dd className={classes["empty"]}>{t`not set`}</dd>}
          </div>
        ))}
      </dl>
      <dl className={`${classes["list"]} ${classes["total"]}`}>
        <div>
          <dt>
            <Trans>Per month</Trans>
          </dt>
          <dd>{plan ? euros(locale, plan.price_cents) : "–"}</dd>
        </div>
        <div>
          <dt>
            <Trans>Account balance</Trans>
          </dt>
          <dd>{user ? euros(locale, user.balance_cents) : "–"}</dd>
        </div>
      </dl>
      <Button type="submit" fullWidth loading={busy}>
        <Trans>Create GameShield</Trans>
      </Button>
      <p className={classes["small"]}>
        {plan?.price_cents === 0 ? (
          <Trans>This plan costs nothing.</Trans>
        ) : (
          <Trans>The plan price is debited from the balance immediately.</Trans>
        )}
      </p>
    </Panel>
  );
}
