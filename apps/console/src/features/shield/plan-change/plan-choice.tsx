import { useLingui } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import { IconCheck } from "@tabler/icons-react";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { MonthlyPrice } from "#src/ui/monthly-price.tsx";
import { PlanTags } from "#src/ui/plan-tags.tsx";
import classes from "./plan-change.module.css";

interface PlanChoiceProps {
  readonly plan: PricingPlan;
  readonly isCurrent: boolean;
  /** Its first day, if it is the plan of the next period. */
  readonly beginsAt: string | null;
  readonly checked: boolean;
  readonly onChoose: (planId: string) => void;
}

export function PlanChoice({ plan, isCurrent, beginsAt, checked, onChoose }: PlanChoiceProps) {
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
      className={classes["plan"]}
      label={t`${name}, ${price} a month`}
    >
      <span className={classes["name"]}>
        <strong>{name}</strong>
        <PlanTags isCurrent={isCurrent} beginsAt={beginsAt} />
      </span>
      <span className={classes["price"]}>
        <MonthlyPrice cents={plan.price_cents} />
      </span>
      <span className={classes["description"]}>{plan.description}</span>
      <ul className={classes["features"]}>
        {plan.features.map(({ feature_name: feature }) => (
          <li key={feature}>
            <IconCheck size={14} stroke={1.8} aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
    </ChoiceCard>
  );
}
