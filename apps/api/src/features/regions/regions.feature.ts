import type { Feature } from "#src/platform/platform.ts";
import { regionSweep, type RegionJobsDeps } from "./regions.jobs.ts";
import { mountRegionsRoutes } from "./regions.routes.ts";

export function createRegionsFeature(deps: RegionJobsDeps): Feature {
  return {
    mountRoutes: (mount) => mountRegionsRoutes(mount, deps),
    jobs: [regionSweep(deps)],
  };
}
