import type { Logger } from "pino";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { mountMitigationRoutes } from "./mitigation.routes.ts";
import { tryExpiry } from "./try-address.jobs.ts";

interface MitigationFeatureDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly writes: ShieldWrites;
  readonly zone: string;
}

/** The checks of players: settings, measured times, and the address to try them. */
export function createMitigationFeature(deps: MitigationFeatureDeps): Feature {
  return {
    mountRoutes: (mount) => mountMitigationRoutes(mount, deps),
    jobs: [tryExpiry(deps)],
  };
}
