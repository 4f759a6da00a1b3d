import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import {
  deleteLoginsBefore,
  dropPartitions,
  makePartitions,
  selectPlans,
} from "./login-entries.repository.ts";

/** A statement ends well within the time one may take, however much there is. */
const deletedAtOnceMax = 10_000;

/** For which the job may fail before entries have nowhere to go. */
export const daysAhead = 4;

export function loginPartitions(db: Db): JobDefinition<object> {
  return {
    name: "logs.partitions",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "17 */6 * * *",
    run: () => makePartitions(db, daysAhead),
  };
}

/** Once a day: whole days that no plan keeps, then what the shields' own plans do not keep. */
export function loginCleaning(db: Db): JobDefinition<object> {
  return {
    name: "logs.clean",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "52 3 * * *",
    tryLimitSeconds: 3600,
    async run(_data, signal) {
      const plans = (await selectPlans(db)).map((plan) => ({
        id: plan.id,
        days: entitlements(plan).logDays,
      }));
      const longest = Math.max(...plans.map(({ days }) => days));
      if (plans.length > 0) await dropPartitions(db, longest);
      for (const { id, days } of plans) {
        await deleteOld(db, { planId: id, daysKept: days, limit: deletedAtOnceMax }, signal);
      }
    },
  };
}

async function deleteOld(
  db: Db,
  old: Parameters<typeof deleteLoginsBefore>[1],
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const deleted = await deleteLoginsBefore(db, old);
    if (deleted < old.limit || signal?.aborted === true) return;
  }
}
