import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { supportPlanRoutes } from "@palisade/contract/http/plan-changes";
import type { SupportPlan } from "@palisade/contract/http/plans";
import { IconArrowRight } from "@tabler/icons-react";
import { call } from "#src/api/client.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { PlanQuoteView, PlanRefusal } from "#src/ui/plan-quote.tsx";
import { useHeldQuote } from "#src/ui/use-held-quote.ts";
import { usePlanConfirmation } from "#src/ui/use-plan-confirmation.ts";
import { refreshSupportPlans } from "./support-plans.queries.ts";
import classes from "./support-plans.module.css";

interface ChangeSupportDialogProps {
  readonly selected: SupportPlan;
  readonly current: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Shows the cost of the selected support plan in place of the current one, and changes the plan. */
export function ChangeSupportDialog(props: ChangeSupportDialogProps) {
  const { selected, current, onClose, onChanged } = props;
  const { t } = useLingui();
  const held = useHeldQuote(["support", selected.id], async (planId, signal) => {
    const body = { support_plan_id: planId };
    return (await call(supportPlanRoutes.quoteSupportPlan, { body, signal })).data.quote;
  });
  const { quote } = held;
  const { confirm, isBusy, refusal } = usePlanConfirmation({
    held,
    send: ({ id, plan }, headers) => {
      const body = { support_plan_id: plan.id, ...(id === null ? {} : { quote_id: id }) };
      return call(supportPlanRoutes.purchaseSupportPlan, { body, headers });
    },
    failed: t`Failed to change support plan`,
    onChanged: () => {
      onChanged();
      void refreshSupportPlans();
    },
  });
  const isOpen = quote !== undefined && !held.isAsking && held.error === null;

  return (
    <Dialog
      opened
      title={t`Change plan`}
      onClose={onClose}
      actions={
        <>
          <PlanRefusal refusal={refusal} />
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            disabled={!isOpen || quote.missing_cents > 0}
            loading={isBusy}
            onClick={() => quote !== undefined && confirm(quote)}
          >
            {quote?.kind === "at_period_end" ? (
              <Trans>Change at the end of the period</Trans>
            ) : (
              <Trans>Change plan</Trans>
            )}
          </ActionButton>
        </>
      }
    >
      <p className={classes["step"]}>
        <span>{current}</span>
        <IconArrowRight size={16} stroke={1.6} role="img" aria-label={t`changes to`} />
        <strong>{selected.name}</strong>
      </p>
      {quote?.kind === "now" && quote.due_cents < quote.price_cents ? (
        <p className={classes["hint"]}>
          <Trans>The unused part of your paid plan is taken off the price.</Trans>
        </p>
      ) : null}
      <PlanQuoteView held={held} current={current} onLeave={onClose} />
    </Dialog>
  );
}
