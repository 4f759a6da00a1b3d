import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import {
  dropPartition,
  makePartitions,
  selectPlans,
  selectShieldsOnPlan,
  selectShieldsWithOldLogins,
} from "./login-entries.repository.ts";
import { deletePortionOfLogins } from "./login-entries.service.ts";

/** Asked of together. */
const shieldsAtOnce = 500;

/** For which the job may fail before entries have nowhere to go. */
export const daysAhead = 4;

export function loginPartitionsJob(db: Db): JobDefinition<object> {
  return {
    name: "logs.partitions",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "17 */6 * * *",
    run: () => makePartitions(db, daysAhead),
  };
}

/** Once a day: whole days that no plan keeps, then what the shields' own plans do not keep. */
export function loginRetentionJob(db: Db): JobDefinition<object> {
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
      const failures: unknown[] = [];
      // What cannot be done now keeps nothing else from its turn.
      const attempt = (work: Promise<void>) =>
        work.catch((error: unknown) => void failures.push(error));
      await attempt(dropDays(db, plans, signal));
      for (const plan of plans) await attempt(cleanPlan(db, plan, signal));
      if (failures.length > 0) throw new AggregateError(failures, "Logs were not cleaned");
    },
  };
}

interface KeptDays {
  readonly id: string;
  readonly days: number;
}

async function dropDays(db: Db, plans: readonly KeptDays[], signal?: AbortSignal): Promise<void> {
  if (plans.length === 0) return;
  const longest = Math.max(...plans.map(({ days }) => days));
  await repeat(() => dropPartition(db, longest), signal);
}

async function cleanPlan(db: Db, { id, days }: KeptDays, signal?: AbortSignal): Promise<void> {
  let afterId: string | null = null;
  for (;;) {
    const ids: string[] = await selectShieldsOnPlan(db, id, { afterId, limit: shieldsAtOnce });
    for (const shieldId of await selectShieldsWithOldLogins(db, ids, days)) {
      await repeat(() => deletePortionOfLogins(db, shieldId, days), signal);
    }
    afterId = ids.at(-1) ?? null;
    if (ids.length < shieldsAtOnce || signal?.aborted === true) return;
  }
}

/** As long as there may be more. */
async function repeat(portion: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || !(await portion())) return;
  }
}
