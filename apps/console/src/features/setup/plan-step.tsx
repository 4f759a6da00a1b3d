import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { UseQueryResult } from "@tanstack/react-query";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { changeDraft } from "./draft.ts";
import { InsufficientFunds, rechargeName } from "./insufficient-funds.tsx";
import { PlanCard } from "./plan-card.tsx";
import styles from "./plan-card.module.css";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

interface PlanStepProps {
  readonly query: UseQueryResult<PricingPlan[]>;
  readonly plan: PricingPlan | undefined;
}

export function PlanStep({ query, plan }: PlanStepProps) {
  const step = useStep("plan");
  const isShort = plan !== undefined && !plan.is_available;

  function choose(id: string) {
    step.change("pricing_plan_id", id);
    changeDraft({ price_cents: query.data?.find((each) => each.id === id)?.price_cents ?? null });
  }

  function next() {
    if (isShort) document.querySelector<HTMLElement>(`[name=${rechargeName}]`)?.focus();
    if (!step.isValid() || isShort || plan === undefined) return;
    // The buyer agrees to the price on the card now.
    changeDraft({ price_cents: plan.price_cents });
    step.goTo(2);
  }

  return (
    <StepFrame
      title={<Trans>Choose plan</Trans>}
      description={<Trans>Prices per month, excluding tax.</Trans>}
      onNext={next}
      blocked={query.data === undefined}
      problem={step.errorOf("pricing_plan_id")}
    >
      <Plans query={query} value={step.draft.pricing_plan_id} onChoose={choose} />
      {isShort ? <InsufficientFunds plan={plan} /> : null}
    </StepFrame>
  );
}

interface PlansProps {
  readonly query: UseQueryResult<PricingPlan[]>;
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

function Plans({ query, value, onChoose }: PlansProps) {
  const { t } = useLingui();
  if (query.data) {
    return (
      <div className={styles["cards"]} role="radiogroup" aria-label={t`Plan`}>
        {query.data.map((plan) => (
          <PlanCard key={plan.id} plan={plan} checked={plan.id === value} onChoose={onChoose} />
        ))}
      </div>
    );
  }
  if (query.isPending) {
    return (
      <LoadingRegion className={styles["cards"]}>
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} height={256} radius={8} />
        ))}
      </LoadingRegion>
    );
  }
  return (
    <ErrorState
      error={query.error}
      title={t`Failed to fetch plans`}
      onRetry={() => void query.refetch()}
    />
  );
}
