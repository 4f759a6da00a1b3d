import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { makePartitions } from "./login-entries.repository.ts";
import { daysAhead, loginPartitionsJob, loginRetentionJob } from "./logs.jobs.ts";
import { mountLogRoutes } from "./logs.routes.ts";

export function createLogsFeature({ db }: { readonly db: Db }): Feature {
  return {
    jobs: [loginPartitionsJob(db), loginRetentionJob(db)],
    // After the api was off for days, the next login has no partition until this made it.
    start: () => makePartitions(db, daysAhead),
    mountRoutes: (mount) => mountLogRoutes(mount, db),
  };
}
