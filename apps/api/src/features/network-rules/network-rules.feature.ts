import type { Feature } from "#src/platform/platform.ts";
import { endedRulesSweep, type NetworkRuleJobsDeps } from "./network-rules.jobs.ts";
import { mountNetworkRuleRoutes, type NetworkRuleRoutesDeps } from "./network-rules.routes.ts";

export function createNetworkRulesFeature(
  deps: NetworkRuleJobsDeps & NetworkRuleRoutesDeps,
): Feature {
  return {
    mountRoutes: (mount) => mountNetworkRuleRoutes(mount, deps),
    jobs: [endedRulesSweep(deps)],
  };
}
