import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import { IconCheck, IconWallet } from "@tabler/icons-react";
import { euros, taxRate } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { MonthlyPrice } from "#src/ui/monthly-price.tsx";
import classes from "./plan-card.module.css";

interface PlanCardProps {
  readonly plan: PricingPlan;
  readonly checked: boolean;
  readonly onChoose: (id: string) => void;
}

/** A plan that the balance does not cover can be chosen; the step then offers a top-up. */
export function PlanCard({ plan, checked, onChoose }: PlanCardProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { name } = plan;
  const price = euros(locale, plan.price_cents);
  return (
    <ChoiceCard
      name="pricing_plan_id"
      value={plan.id}
      checked={checked}
      onChoose={onChoose}
      className={classes["card"]}
      label={t`${name}, ${price} a month`}
    >
      <span className={classes["name"]}>{plan.name}</span>
      <span className={classes["description"]}>{plan.description}</span>
      <span className={classes["price"]}>
        <MonthlyPrice cents={plan.price_cents} />
        <PriceWithVat plan={plan} />
      </span>
      <ul className={classes["features"]}>
        {plan.features.map(({ feature_name: feature }) => (
          <li key={feature}>
            <IconCheck size={14} stroke={1.8} aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {plan.is_available ? null : (
        <span className={classes["unavailable"]}>
          <IconWallet size={14} stroke={1.6} aria-hidden="true" />
          <Trans>Insufficient funds</Trans>
        </span>
      )}
    </ChoiceCard>
  );
}

/** Prices are net: what a buyer pays who is charged VAT stands below. */
function PriceWithVat({ plan }: { plan: PricingPlan }) {
  const { locale } = useLocale();
  if (plan.total_cents === plan.price_cents) return null;
  const total = euros(locale, plan.total_cents);
  const rate = taxRate(locale, plan.vat_rate);
  return (
    <small className={classes["with-vat"]}>
      <Trans>
        {total} with {rate} VAT
      </Trans>
    </small>
  );
}
