import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { UseQueryResult } from "@tanstack/react-query";
import { IconCheck } from "@tabler/icons-react";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./setup.module.css";
import styles from "./plan-picker.module.css";

interface PlanPickerProps {
  readonly query: UseQueryResult<PricingPlan[]>;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function PlanPicker({ query, value, error, onChoose }: PlanPickerProps) {
  return (
    <Panel
      prominent
      title={<Trans>Plan</Trans>}
      note={<Trans>Prices per month, excluding tax.</Trans>}
    >
      <Plans query={query} value={value} onChoose={onChoose} />
      {error ? <p className={classes["error"]}>{error}</p> : null}
    </Panel>
  );
}

function Plans({ query, value, onChoose }: Omit<PlanPickerProps, "error">) {
  const { t } = useLingui();
  if (query.data) {
    return (
      <div className={classes["cards"]} role="radiogroup" aria-label={t`Plan`}>
        {query.data.map((plan) => (
          <PlanCard key={plan.id} plan={plan} checked={plan.id === value} onChoose={onChoose} />
        ))}
      </div>
    );
  }
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["cards"]}>
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height={168} radius={8} />
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

function PlanCard(props: { plan: PricingPlan; checked: boolean; onChoose: (id: string) => void }) {
  const { plan } = props;
  const { locale } = useLocale();
  return (
    <ChoiceCard
      name="pricing_plan_id"
      value={plan.id}
      checked={props.checked}
      disabled={!plan.is_available}
      onChoose={props.onChoose}
    >
      <span className={styles["name"]}>{plan.name}</span>
      <span className={styles["price"]}>{euros(locale, plan.price_cents)}</span>
      <span className={styles["description"]}>{plan.description}</span>
      <ul className={styles["features"]}>
        {plan.features.map(({ feature_name: feature }) => (
          <li key={feature}>
            <IconCheck size={14} stroke={1.8} aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {plan.is_available ? null : (
        <span className={styles["unavailable"]}>
          <Trans>Insufficient funds</Trans>
        </span>
      )}
    </ChoiceCard>
  );
}
