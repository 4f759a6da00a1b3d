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
import {
  deletePortionOfLogins,
  erasePortionOfPlayer,
  playerErasureJob,
} from "./login-entries.service.ts";

/** How many shields one query covers. */
const shieldsAtOnce = 500;

/** How many days the job may fail before logins have no partition. */
export const daysAhead = 4;

export function loginPartitionsJob(db: Db): JobDefinition<object> {
  return {
    name: "logs.partitions",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "17 * * * *",
    run: () => makePartitions(db, daysAhead),
  };
}

/** Once a day: drops days that no plan keeps, then deletes logins that each shield's own plan does not keep. */
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
      // A failure does not stop the other deletions.
      const attempt = (work: Promise<void>) =>
        work.catch((error: unknown) => void failures.push(error));
      await attempt(dropDays(db, plans, signal));
      for (const plan of plans) await attempt(cleanPlan(db, plan, signal));
      if (failures.length > 0)
        throw new AggregateError(failures, "Some old logins were not deleted");
    },
  };
}

export function playerErasure(db: Db): JobDefinition<{ shieldId: string; player: string }> {
  return {
    name: playerErasureJob,
    retryLimit: 10,
    retryDelaySeconds: 60,
    tryLimitSeconds: 3600,
    run: ({ shieldId, player }, signal) =>
      repeat(() => erasePortionOfPlayer(db, shieldId, player), signal),
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

/** Repeats as long as there may be more. */
async function repeat(portion: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || !(await portion())) return;
  }
}
