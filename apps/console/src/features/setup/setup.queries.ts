import { routes } from "@palisade/contract/http/routes";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export const plansQuery = queryOptions({
  queryKey: ["pricing-plans"],
  queryFn: async ({ signal }) => (await call(routes.plans.listPricingPlans, { signal })).data.plans,
});

export function locationsQuery(planId: string) {
  return queryOptions({
    queryKey: ["locations", planId],
    queryFn: async ({ signal }) => {
      const query = planId === "" ? {} : { pricing_plan_id: planId };
      return (await call(routes.plans.listLocations, { query, signal })).data.locations;
    },
  });
}

/** One reservation, kept until a shield takes it: opening the page again reserves nothing new. */
export const cnameQuery = queryOptions({
  queryKey: ["cname"],
  queryFn: async () => (await call(routes.servers.generateCname, {})).data.cname_record,
  staleTime: Infinity,
  gcTime: Infinity,
});
