import type { Feature } from "#src/platform/platform.ts";
import { firewallEnds, type FirewallJobsDeps } from "./firewall.jobs.ts";
import { mountFirewallRoutes } from "./firewall.routes.ts";

export function createFirewallFeature(deps: FirewallJobsDeps): Feature {
  return {
    mountRoutes: (mount) => mountFirewallRoutes(mount, deps),
    jobs: [firewallEnds(deps)],
  };
}
