import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { SupportPlan } from "@palisade/contract/http/plans";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { IconLifebuoy } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { ChangeSupportDialog } from "./change-support-dialog.tsx";
import { CurrentSupport } from "./current-support.tsx";
import { SupportPlanCard } from "./support-plan-card.tsx";
import {
  subscriptionQuery,
  supportPlansQuery,
  type SupportSubscription,
} from "./support-plans.queries.ts";
import classes from "./support-plans.module.css";

export function SupportPlansPage() {
  const { t } = useLingui();
  const plans = useQuery(supportPlansQuery);
  const held = useQuery(subscriptionQuery);
  const error = plans.error ?? held.error;
  useDocumentTitle(`${t`Support plans`} · Palisade`);

  return (
    <>
      <PageHead title={<Trans>Support plans</Trans>} />
      <div className={classes["page"]}>
        {plans.data && held.data ? (
          <Plans plans={plans.data} held={held.data} />
        ) : error === null ? (
          <LoadingRegion className={classes["page"]}>
            <Skeleton height={104} radius={10} />
            <div className={classes["cards"]}>
              {[0, 1, 2].map((index) => (
                <Skeleton key={index} height={150} radius={8} />
              ))}
            </div>
          </LoadingRegion>
        ) : (
          <Panel>
            <ErrorState
              error={error}
              title={t`Error fetching support plans`}
              onRetry={() => {
                void plans.refetch();
                void held.refetch();
              }}
            />
          </Panel>
        )}
      </div>
    </>
  );
}

interface PlansProps {
  readonly plans: readonly SupportPlan[];
  readonly held: SupportSubscription;
}

function Plans({ plans, held }: PlansProps) {
  const { t } = useLingui();
  const currentId = held.plan?.id ?? null;
  const plannedId = held.planned?.plan.id ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const selectedId = chosen ?? currentId;
  const selected = plans.find(({ id }) => id === selectedId);
  const isCurrent = selectedId === currentId;

  if (plans.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<IconLifebuoy size={22} stroke={1.6} />}
          title={t`No data to display`}
          text={t`There are no support plans on offer.`}
        />
      </Panel>
    );
  }
  return (
    <>
      <CurrentSupport held={held} />
      <Panel
        prominent
        title={<Trans>Choose plan</Trans>}
        note={<Trans>Prices per month, excluding tax.</Trans>}
      >
        <div className={classes["cards"]} role="radiogroup" aria-label={t`Support plan`}>
          {plans.map((plan) => (
            <SupportPlanCard
              key={plan.id}
              plan={plan}
              isCurrent={plan.id === currentId}
              beginsAt={plan.id === plannedId ? (held.planned?.effective_at ?? null) : null}
              checked={plan.id === selectedId}
              onChoose={setChosen}
            />
          ))}
        </div>
        <div className={classes["foot"]}>
          <ActionButton
            disabled={isCurrent || selected === undefined || selectedId === plannedId}
            onClick={() => setOpen(true)}
          >
            {isCurrent ? <Trans>Current plan</Trans> : <Trans>Change plan</Trans>}
          </ActionButton>
        </div>
      </Panel>
      {isOpen && selected !== undefined ? (
        <ChangeSupportDialog
          selected={selected}
          current={held.plan?.name ?? t`Free`}
          onClose={() => setOpen(false)}
          onChanged={() => {
            setOpen(false);
            setChosen(null);
          }}
        />
      ) : null}
    </>
  );
}
