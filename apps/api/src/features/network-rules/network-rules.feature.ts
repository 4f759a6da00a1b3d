import {
  shieldSweep,
  type ShieldSweepDeps,
} from "#src/features/configuration/shield-sweep.service.ts";
import type { Feature } from "#src/platform/platform.ts";
import { endedRulesSweep } from "./network-rules.jobs.ts";
import { mountNetworkRuleRoutes, type NetworkRuleRoutesDeps } from "./network-rules.routes.ts";

export function createNetworkRulesFeature(deps: ShieldSweepDeps & NetworkRuleRoutesDeps): Feature {
  return {
    mountRoutes: (mount) => mountNetworkRuleRoutes(mount, deps),
    jobs: [shieldSweep(deps, endedRulesSweep)],
  };
}
