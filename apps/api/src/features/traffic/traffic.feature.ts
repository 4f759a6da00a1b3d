import type { Feature } from "#src/platform/platform.ts";
import { makePartitions } from "./rollups.repository.ts";
import {
  daysAhead,
  telemetryCleaningJob,
  telemetryPartitionsJob,
  telemetryRollupJob,
} from "./telemetry.jobs.ts";
import { mountTrafficRoutes, type TrafficRoutesDeps } from "./traffic.routes.ts";

export function createTrafficFeature(deps: TrafficRoutesDeps): Feature {
  const { db } = deps;
  return {
    jobs: [telemetryPartitionsJob(db), telemetryRollupJob(db), telemetryCleaningJob(db)],
    // After the api was off for days, the next minute has no partition until this made it.
    start: () => makePartitions(db, daysAhead),
    mountRoutes: (mount) => mountTrafficRoutes(mount, deps),
  };
}
