import type { Feature } from "#src/platform/platform.ts";
import { shieldPurge, type ShieldPurgeDeps } from "./shield-purge.jobs.ts";
import { mountShieldsRoutes, type ShieldsRoutesDeps } from "./shields.routes.ts";

export function createShieldsFeature(deps: ShieldsRoutesDeps & ShieldPurgeDeps): Feature {
  return {
    mountRoutes: (mount) => mountShieldsRoutes(mount, deps),
    jobs: [shieldPurge(deps)],
  };
}
