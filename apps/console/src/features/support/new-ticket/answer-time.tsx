import { Trans } from "@lingui/react/macro";
import { planRoutes } from "@palisade/contract/http/plans";
import { supportPlanRoutes } from "@palisade/contract/http/plan-changes";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import classes from "../support.module.css";

const heldPlanQuery = queryOptions({
  queryKey: ["support-plans", "for tickets"],
  queryFn: async ({ signal }) => {
    const [held, offered] = await Promise.all([
      call(supportPlanRoutes.getSupportSubscription, { signal }),
      call(planRoutes.listSupportPlans, { signal }),
    ]);
    const id = held.data.plan?.id;
    return offered.data.plans.find((plan) => (id === undefined ? isFree(plan) : plan.id === id));
  },
});

function isFree({ price_cents: cents }: { readonly price_cents: number }): boolean {
  return cents === 0;
}

/** How soon support answers, as the user's support plan says it. Without an answer it is left out. */
export function AnswerTime() {
  const plan = useQuery(heldPlanQuery).data;
  if (plan === undefined) return null;
  return (
    <Panel title={<Trans>Your support plan</Trans>}>
      <p className={classes["planName"]}>{plan.name}</p>
      <p className={classes["hint"]}>{plan.description}</p>
      <p className={classes["hint"]}>
        <Link to={paths.supportPlans}>
          <Trans>Support plans</Trans>
        </Link>
      </p>
    </Panel>
  );
}
