import { useLingui } from "@lingui/react/macro";
import type { SupportPlan } from "@palisade/contract/http/plans";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { MonthlyPrice } from "#src/ui/monthly-price.tsx";
import { PlanTags } from "#src/ui/plan-tags.tsx";
import classes from "./support-plans.module.css";

interface SupportPlanCardProps {
  readonly plan: SupportPlan;
  readonly isCurrent: boolean;
  /** Its first day, if it is the plan of the next period. */
  readonly beginsAt: string | null;
  readonly checked: boolean;
  readonly onChoose: (planId: string) => void;
}

export function SupportPlanCard(props: SupportPlanCardProps) {
  const { plan, isCurrent, beginsAt, checked, onChoose } = props;
  const { t } = useLingui();
  const { locale } = useLocale();
  const { name } = plan;
  const price = euros(locale, plan.price_cents);
  return (
    <ChoiceCard
      name="support_plan_id"
      value={plan.id}
      checked={checked}
      onChoose={onChoose}
      className={classes["card"]}
      label={t`${name}, ${price} a month`}
    >
      <span className={classes["name"]}>
        <strong>{name}</strong>
        <PlanTags isCurrent={isCurrent} beginsAt={beginsAt} />
      </span>
      <span className={classes["description"]}>{plan.description}</span>
      <span className={classes["price"]}>
        <MonthlyPrice cents={plan.price_cents} />
      </span>
    </ChoiceCard>
  );
}
