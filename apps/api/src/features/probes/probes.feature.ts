import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature } from "#src/platform/platform.ts";
import { deleteExpiredProbes } from "./probes.repository.ts";
import { mountProbesRoutes, type ProbesRoutesDeps } from "./probes.routes.ts";

export function createProbesFeature(deps: ProbesRoutesDeps): Feature {
  const { db, probes } = deps;
  return {
    start: () => probes.start(),
    stop: () => probes.stop(),
    jobs: [probeCleaning(db)],
    mountRoutes: (mount) => mountProbesRoutes(mount, deps),
  };
}

function probeCleaning(db: Db): JobDefinition<object> {
  return {
    name: "probe-cleaning",
    retryLimit: 1,
    retryDelaySeconds: 60,
    cron: "*/5 * * * *",
    run: () => deleteExpiredProbes(db),
  };
}
