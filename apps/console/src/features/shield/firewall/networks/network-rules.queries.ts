import { networkRuleRoutes } from "@palisade/contract/http/network-rules";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export function networkRulesQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "network-rules"],
    queryFn: async ({ signal }) =>
      (await call(networkRuleRoutes.listNetworkRules, { params: { id }, signal })).data,
  });
}
