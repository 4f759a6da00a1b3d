import {
  shieldSweep,
  type ShieldSweepDeps,
} from "#src/features/configuration/shield-sweep.service.ts";
import type { Feature } from "#src/platform/platform.ts";
import { mountMitigationRoutes } from "./mitigation.routes.ts";
import { tryExpiry } from "./try-address.jobs.ts";

interface MitigationFeatureDeps extends ShieldSweepDeps {
  readonly zone: string;
}

/** The checks of players: settings, measured times, and the address to try them. */
export function createMitigationFeature(deps: MitigationFeatureDeps): Feature {
  return {
    mountRoutes: (mount) => mountMitigationRoutes(mount, deps),
    jobs: [shieldSweep(deps, tryExpiry)],
  };
}
