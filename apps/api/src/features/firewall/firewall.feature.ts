import {
  shieldSweep,
  type ShieldSweepDeps,
} from "#src/features/configuration/shield-sweep.service.ts";
import type { Feature } from "#src/platform/platform.ts";
import { entryEnds } from "./firewall.jobs.ts";
import { mountFirewallRoutes } from "./firewall.routes.ts";

export function createFirewallFeature(deps: ShieldSweepDeps): Feature {
  return {
    mountRoutes: (mount) => mountFirewallRoutes(mount, deps),
    jobs: [shieldSweep(deps, entryEnds)],
  };
}
