import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { makePartitions } from "./rollups.repository.ts";
import {
  daysAhead,
  telemetryCleaningJob,
  telemetryPartitionsJob,
  telemetryRollupJob,
} from "./telemetry.jobs.ts";

/** The stored counters of shields: their partitions, rollups and retention. */
export function createTelemetryFeature(db: Db): Feature {
  return {
    mountRoutes: () => undefined,
    jobs: [telemetryPartitionsJob(db), telemetryRollupJob(db), telemetryCleaningJob(db)],
    // After the api was off for days, the next minute has no partition until this made it.
    start: () => makePartitions(db, daysAhead),
  };
}
