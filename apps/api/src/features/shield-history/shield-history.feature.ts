import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature } from "#src/platform/platform.ts";
import { deleteChangesBefore } from "./shield-history.repository.ts";
import { mountHistoryRoutes } from "./shield-history.routes.ts";

interface HistoryDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** As far back as the longest filter reaches. */
const keptMs = 365 * 86_400_000;

/** The changes of each shield, for its owner and members. */
export function createHistoryFeature(deps: HistoryDeps): Feature {
  return {
    mountRoutes: (mount) => mountHistoryRoutes(mount, deps),
    jobs: [historyRetentionJob(deps)],
  };
}

function historyRetentionJob({ db, clock }: HistoryDeps): JobDefinition<object> {
  return {
    name: "shield-history.retention",
    retryLimit: 2,
    retryDelaySeconds: 600,
    cron: "23 4 * * *",
    run: () => deleteChangesBefore(db, new Date(clock.now().getTime() - keptMs)),
  };
}
