import type { Logger } from "pino";
import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { makePartitions } from "./rollups.repository.ts";
import {
  daysAhead,
  telemetryCleaningJob,
  telemetryPartitionsJob,
  telemetryRollupJob,
} from "./telemetry.jobs.ts";

interface TelemetryFeatureDeps {
  readonly db: Db;
  readonly log: Logger;
}

/** The stored counters of shields: their partitions, rollups and retention. */
export function createTelemetryFeature({ db, log }: TelemetryFeatureDeps): Feature {
  return {
    mountRoutes: () => undefined,
    jobs: [telemetryPartitionsJob(db), telemetryRollupJob(db), telemetryCleaningJob(db)],
    async start() {
      // After the api was off for days, the next minute has no partition until this made it.
      await makePartitions(db, daysAhead).catch((err: unknown) => {
        log.error({ err }, "partitions of counters cannot be made; a job tries again");
      });
    },
  };
}
