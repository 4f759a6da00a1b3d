import { Trans } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";

import { useCurrentUser } from "#src/api/current-user.ts";
import { day, euros, taxRate } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./setup.module.css";
import { ValueSkeleton } from "./value-skeleton.tsx";

/** Price, balance now and after, and how long the plan is paid. */
export function OrderSummary({ plan }: { plan: PricingPlan | undefined }) {
  const { locale } = useLocale();
  const user = useCurrentUser();
  const sum = (cents: number | null) => (cents === null ? "–" : euros(locale, cents));
  return (
    <div className={classes["bill"]}>
      <dl className={classes["list"]}>
        <div>
          <dt>
            <Trans>Price per month, excluding tax</Trans>
          </dt>
          <dd>{plan ? sum(plan.price_cents) : <ValueSkeleton />}</dd>
        </div>
        {plan === undefined || plan.total_cents === plan.price_cents ? null : <Vat plan={plan} />}
        <div>
          <dt>
            <Trans>Balance now</Trans>
          </dt>
          <dd>{user ? sum(user.balance_cents) : <ValueSkeleton />}</dd>
        </div>
        <div className={classes["result"]}>
          <dt>
            <Trans>Balance after</Trans>
          </dt>
          <dd>{plan ? sum(plan.balance_after_cents) : <ValueSkeleton />}</dd>
        </div>
        <div>
          <dt>
            <Trans>Paid until</Trans>
          </dt>
          <dd>
            {plan === undefined ? (
              <ValueSkeleton />
            ) : plan.renews_at === null ? (
              <Trans>This plan costs nothing</Trans>
            ) : (
              <time dateTime={plan.renews_at}>{day(locale, new Date(plan.renews_at))}</time>
            )}
          </dd>
        </div>
      </dl>
      <p className={classes["hint"]}>
        <Trans>The plan price is debited from the balance immediately.</Trans>
      </p>
    </div>
  );
}

function Vat({ plan }: { plan: PricingPlan }) {
  const { locale } = useLocale();
  const rate = taxRate(locale, plan.vat_rate);
  return (
    <div>
      <dt>
        <Trans>VAT {rate}</Trans>
      </dt>
      <dd>{euros(locale, plan.total_cents - plan.price_cents)}</dd>
    </div>
  );
}
