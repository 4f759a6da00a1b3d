import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { planChangeRoutes } from "@palisade/contract/http/plan-changes";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { Server } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { plansQuery } from "#src/api/plans.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { PlanQuoteView, PlanRefusal } from "#src/ui/plan-quote.tsx";
import { useHeldQuote } from "#src/ui/use-held-quote.ts";
import { usePlanConfirmation } from "#src/ui/use-plan-confirmation.ts";
import { DiscordLink, useDiscordInvite } from "../operator.queries.tsx";
import { overviewQuery } from "../shield.queries.ts";
import { ExceededLimits } from "./exceeded-limits.tsx";
import { PlanChoice } from "./plan-choice.tsx";
import classes from "./plan-change.module.css";

interface ChangePlanDialogProps {
  readonly shield: Server;
  readonly title: string;
  /** Only plans that include a missing feature; all plans without it. */
  readonly has?: ((includes: PricingPlan["includes"]) => boolean) | undefined;
  readonly onClose: () => void;
}

/** The plans on offer, what the chosen one costs, and the button that changes to it. */
export function ChangePlanDialog({ shield, title, has, onClose }: ChangePlanDialogProps) {
  const { t } = useLingui();
  const { data: overview } = useQuery(overviewQuery(shield.id));
  const current = overview?.pricing_plan ?? shield.pricing_plan;
  const planned = overview?.planned_plan ?? null;
  const [chosen, setChosen] = useState(current.id);
  const isKept = chosen === current.id || chosen === planned?.plan.id;
  const params = { id: shield.id };

  const held = useHeldQuote(isKept ? null : [shield.id, chosen], async (planId, signal) => {
    const body = { pricing_plan_id: planId };
    return (await call(planChangeRoutes.quotePlanChange, { params, body, signal })).data.quote;
  });
  const { quote } = held;
  const { confirm, isBusy, refusal } = usePlanConfirmation({
    held,
    send: ({ id, plan }, headers) => {
      const body = { pricing_plan_id: plan.id, ...(id === null ? {} : { quote_id: id }) };
      return call(planChangeRoutes.changePlan, { params, body, headers });
    },
    failed: t`Failed to change server plan`,
    onChanged: onClose,
  });
  const isOpen = !isKept && quote !== undefined && !held.isAsking && held.error === null;
  const canConfirm = isOpen && quote.exceeded.length === 0 && quote.missing_cents === 0;

  return (
    <Dialog
      opened
      wide
      title={title}
      onClose={onClose}
      actions={
        <>
          <PlanRefusal refusal={refusal} />
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            disabled={!canConfirm}
            loading={isBusy}
            onClick={() => quote !== undefined && confirm(quote)}
          >
            {quote?.kind === "at_period_end" ? (
              <Trans>Change at the end of the period</Trans>
            ) : (
              <Trans>Upgrade</Trans>
            )}
          </ActionButton>
        </>
      }
    >
      <Plans
        current={current}
        planned={planned}
        has={has}
        chosen={chosen}
        isBusy={isBusy}
        onChoose={setChosen}
      />
      {isKept ? null : (
        <PlanQuoteView
          held={held}
          current={current.name}
          onLeave={onClose}
          obstacles={
            quote === undefined || quote.exceeded.length === 0 ? null : (
              <ExceededLimits shieldId={shield.id} exceeded={quote.exceeded} onFollow={onClose} />
            )
          }
        />
      )}
      <Contact />
    </Dialog>
  );
}

interface PlansProps {
  readonly current: Server["pricing_plan"];
  readonly planned: { readonly plan: Server["pricing_plan"]; readonly effective_at: string } | null;
  readonly has: ChangePlanDialogProps["has"];
  readonly chosen: string;
  readonly isBusy: boolean;
  readonly onChoose: (planId: string) => void;
}

function Plans({ current, planned, has, chosen, isBusy, onChoose }: PlansProps) {
  const { t } = useLingui();
  const query = useQuery(plansQuery);
  if (query.data === undefined) {
    if (query.isPending) {
      return (
        <LoadingRegion className={classes["plans"]}>
          <Skeleton height={92} radius={8} />
          <Skeleton height={92} radius={8} />
        </LoadingRegion>
      );
    }
    return (
      <ErrorState
        compact
        error={query.error}
        title={t`Failed to fetch plans`}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const plans = query.data.filter(
    ({ id, includes }) => id === current.id || (has?.(includes) ?? true),
  );
  const isAlone = plans.every(({ id }) => id === current.id);
  const { name } = current;
  return (
    <>
      <p>
        {isAlone ? (
          <Trans>No plan on offer has more than {name}.</Trans>
        ) : (
          <Trans>Prices per month, excluding tax.</Trans>
        )}
      </p>
      <div className={classes["plans"]} role="radiogroup" aria-label={t`Plan`}>
        {plans.map((plan) => (
          <PlanChoice
            key={plan.id}
            plan={plan}
            isCurrent={plan.id === current.id}
            beginsAt={plan.id === planned?.plan.id ? planned.effective_at : null}
            checked={plan.id === chosen}
            // A change that is under way is not about another plan.
            onChoose={isBusy ? () => undefined : onChoose}
          />
        ))}
      </div>
    </>
  );
}

/** A way to ask the operator about a sum that looks wrong. */
function Contact() {
  const invite = useDiscordInvite();
  if (invite === null) return null;
  const discord = <DiscordLink invite={invite} />;
  return (
    <p className={classes["contact"]}>
      <Trans>
        Have you just bought your old plan? You pay only the difference here. Contact us via{" "}
        {discord} if it looks wrong.
      </Trans>
    </p>
  );
}
