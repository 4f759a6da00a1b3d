import { supportPlanRoutes } from "@palisade/contract/http/plan-changes";
import { planRoutes } from "@palisade/contract/http/plans";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";

const queryName = "support-plans";

export const supportPlansQuery = queryOptions({
  queryKey: [queryName, "offered"],
  queryFn: async ({ signal }) => (await call(planRoutes.listSupportPlans, { signal })).data.plans,
});

/** The support plan that the account holds, and the one of the next period. */
export const subscriptionQuery = queryOptions({
  queryKey: [queryName, "subscription"],
  queryFn: async ({ signal }) =>
    (await call(supportPlanRoutes.getSupportSubscription, { signal })).data,
});

export type SupportSubscription = Awaited<
  ReturnType<NonNullable<typeof subscriptionQuery.queryFn>>
>;

export async function refreshSupportPlans(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [queryName] });
}
