import type { Clock } from "#src/platform/clock/clock.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";

/** Deletes what is too old at `now`. */
export type DeleteOld = (now: Date) => Promise<void>;

/** Hourly: deletes ended sessions, void codes and links, and registrations that were never confirmed. */
export function accountRetentionJob(
  clock: Clock,
  steps: readonly DeleteOld[],
): JobDefinition<object> {
  return {
    name: "accounts.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "17 * * * *",
    async run() {
      const now = clock.now();
      for (const deleteOld of steps) await deleteOld(now);
    },
  };
}
