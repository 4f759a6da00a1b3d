import type { Logger } from "pino";
import type { Feature } from "#src/platform/platform.ts";
import { makePartitions } from "./login-entries.repository.ts";
import { daysAhead, loginPartitionsJob, loginRetentionJob, playerErasure } from "./logs.jobs.ts";
import { mountLogRoutes, type LogRoutesDeps } from "./logs.routes.ts";

export function createLogsFeature(deps: LogRoutesDeps & { readonly log: Logger }): Feature {
  const { db, places, log } = deps;
  return {
    jobs: [loginPartitionsJob(db), loginRetentionJob(db), playerErasure(db)],
    async start() {
      // After the api was off for days, the next login has no partition until this made it.
      await makePartitions(db, daysAhead).catch((err: unknown) => {
        log.error({ err }, "partitions of logins cannot be made; a job tries again");
      });
      await places.start();
    },
    async stop() {
      places.stop();
    },
    mountRoutes: (mount) => mountLogRoutes(mount, deps),
  };
}
