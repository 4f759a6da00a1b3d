import { planRoutes } from "@palisade/contract/http/plans";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";

export const plansQuery = queryOptions({
  queryKey: ["pricing-plans"],
  queryFn: async ({ signal }) => (await call(planRoutes.listPricingPlans, { signal })).data.plans,
});
