import { planRoutes } from "@palisade/contract/http/plans";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";

/** @param planId tells which locations the plan allows; empty for all */
export function locationsQuery(planId: string) {
  return queryOptions({
    queryKey: ["locations", planId],
    queryFn: async ({ signal }) => {
      const query = planId === "" ? {} : { pricing_plan_id: planId };
      return (await call(planRoutes.listLocations, { query, signal })).data.locations;
    },
  });
}
