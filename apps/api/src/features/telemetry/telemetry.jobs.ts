import { entitlements, analyticsDaysMax } from "#src/features/plans/entitlements.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import {
  deleteCoverage,
  deleteOldReports,
  deleteRollups,
  selectPlans,
  selectShieldsOnPlan,
} from "./retention.repository.ts";
import { dropPartition, makePartitions, rollUp, selectCuts } from "./rollups.repository.ts";

/** How many days the job may fail before minutes have no partition. */
export const daysAhead = 4;

const dayMs = 86_400_000;

/**
 * How long each table is kept. Minutes are shown for 48 hours, and for one more day a late report may
 * have ten minutes computed anew from them. Ten minutes are shown for 14 days, and are compared with the
 * days before.
 */
const keptDays = {
  telemetry_minutes: 3,
  telemetry_tens: 18,
  telemetry_hours: analyticsDaysMax,
  telemetry_days: analyticsDaysMax,
} as const;

/** The traffic of a month and of the one before is counted from hours, whatever the plan keeps. */
const hourDaysMin = 62;
const shieldsAtOnce = 500;

export function telemetryPartitionsJob(db: Db): JobDefinition<object> {
  return {
    name: "telemetry.partitions",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "27 * * * *",
    run: () => makePartitions(db, daysAhead),
  };
}

export function telemetryRollupJob(db: Db): JobDefinition<object> {
  return {
    name: "telemetry.roll-up",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    tryLimitSeconds: 900,
    run: async () => void (await rollUp(db)),
  };
}

/** Once a day: drops what no plan keeps, then deletes hours that each shield's own plan does not keep. */
export function telemetryCleaningJob(db: Db): JobDefinition<object> {
  return {
    name: "telemetry-cleaning",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "40 3 * * *",
    tryLimitSeconds: 3_600,
    run: (_data, signal) => cleanTelemetry(db, Date.now(), signal),
  };
}

export async function cleanTelemetry(db: Db, nowMs: number, signal?: AbortSignal): Promise<void> {
  await deleteOldReports(db);
  await deleteCoverage(db, analyticsDaysMax);
  const { days } = await selectCuts(db);
  for (const table of [
    "telemetry_minutes",
    "telemetry_tens",
    "telemetry_hours",
    "telemetry_days",
  ] as const) {
    const before = nowMs - keptDays[table] * dayMs;
    // Minutes that are not rolled up are nowhere else.
    const kept = new Date(Math.min(before, days?.getTime() ?? before));
    for (;;) {
      if (signal?.aborted === true || !(await dropPartition(db, table, kept))) break;
    }
  }
  for (const plan of await selectPlans(db)) {
    const kept = Math.max(hourDaysMin, entitlements(plan).analyticsDays);
    if (kept < analyticsDaysMax) await cleanPlan(db, plan.id, kept, signal);
  }
}

async function cleanPlan(
  db: Db,
  planId: string,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const ids: string[] = await selectShieldsOnPlan(db, planId, after, shieldsAtOnce);
    if (ids.length > 0) await deleteRollups(db, ids, days);
    after = ids.at(-1) ?? null;
    if (ids.length < shieldsAtOnce || signal?.aborted === true) return;
  }
}
