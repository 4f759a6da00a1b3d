import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature } from "#src/platform/platform.ts";
import { deleteOldTelemetry } from "./telemetry.repository.ts";
import { mountTrafficRoutes, type TrafficRoutesDeps } from "./traffic.routes.ts";

export function createTrafficFeature(deps: TrafficRoutesDeps): Feature {
  return {
    jobs: [telemetryCleaning(deps.db)],
    mountRoutes: (mount) => mountTrafficRoutes(mount, deps),
  };
}

/** Once a day. */
function telemetryCleaning(db: Db): JobDefinition<object> {
  return {
    name: "telemetry-cleaning",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "40 3 * * *",
    run: () => deleteOldTelemetry(db),
  };
}
