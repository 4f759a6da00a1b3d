import {
  shieldSweep,
  type ShieldSweepDeps,
} from "#src/features/configuration/shield-sweep.service.ts";
import type { Feature } from "#src/platform/platform.ts";
import { regionSweep } from "./regions.jobs.ts";
import { mountRegionsRoutes } from "./regions.routes.ts";

export function createRegionsFeature(deps: ShieldSweepDeps): Feature {
  return {
    mountRoutes: (mount) => mountRegionsRoutes(mount, deps),
    jobs: [shieldSweep(deps, regionSweep)],
  };
}
