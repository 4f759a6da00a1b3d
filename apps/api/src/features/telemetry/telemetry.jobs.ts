import { challengeDays } from "@palisade/contract/http/mitigation";
import { entitlements, analyticsDaysMax } from "#src/features/plans/entitlements.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import {
  deleteChallengeTimes,
  deleteCoverage,
  deleteOldReports,
  deleteOldRows,
  deleteRows,
  selectErasedShields,
  selectPlans,
  selectShieldsOnPlan,
  selectShieldsWithOldRows,
} from "./retention.repository.ts";
import { dropPartition, makePartitions, rollUp, selectCuts } from "./rollups.repository.ts";
import type { TelemetryTable } from "./telemetry-merge.repository.ts";

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

const finestFirst = [
  "telemetry_minutes",
  "telemetry_tens",
  "telemetry_hours",
  "telemetry_days",
] as const;

/** The page shows a week, and a late report may bring more of its first day. */
const keptChallengeDays = challengeDays + 2;

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

/**
 * Once a day: drops what no plan keeps, then deletes hours that each shield's own plan does not keep, and
 * what a rollup has brought back of a shield that was erased in the meantime.
 */
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

/** @throws AggregateError after all other steps, where some have failed */
export async function cleanTelemetry(db: Db, nowMs: number, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  // A failure does not stop the other deletions.
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => void failures.push(error));
  for (const table of finestFirst) await attempt(dropPartitions(db, table, nowMs, signal));
  await attempt(
    forShields(
      (after) => selectErasedShields(db, after, shieldsAtOnce),
      async (ids) => {
        for (const table of finestFirst) await deleteRows(db, table, ids);
      },
      signal,
    ),
  );
  await attempt(repeat(() => deleteOldReports(db), signal));
  await attempt(repeat(() => deleteChallengeTimes(db, nowMs - keptChallengeDays * dayMs), signal));
  await attempt(repeat(() => deleteCoverage(db, analyticsDaysMax), signal));
  await attempt(cleanPlans(db, attempt, signal));
  if (failures.length > 0) throw new AggregateError(failures, "Some old counters were not deleted");
}

async function dropPartitions(
  db: Db,
  table: TelemetryTable,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const { days } = await selectCuts(db);
  const before = nowMs - keptDays[table] * dayMs;
  // Minutes that are not rolled up are nowhere else.
  const kept = new Date(Math.min(before, days?.getTime() ?? before));
  await repeat(() => dropPartition(db, table, kept), signal);
}

async function cleanPlans(
  db: Db,
  attempt: (work: Promise<void>) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (const plan of await selectPlans(db)) {
    const kept = Math.max(hourDaysMin, entitlements(plan).analyticsDays);
    if (kept >= analyticsDaysMax) continue;
    await attempt(
      forShields(
        (after) => selectShieldsOnPlan(db, plan.id, after, shieldsAtOnce),
        (ids) => cleanShields(db, ids, kept),
        signal,
      ),
    );
  }
}

async function cleanShields(db: Db, ids: readonly string[], days: number): Promise<void> {
  for (const table of ["telemetry_hours", "telemetry_days"] as const) {
    for (const id of await selectShieldsWithOldRows(db, table, ids, days)) {
      await deleteOldRows(db, table, id, days);
    }
  }
}

/** @param select the next ids after one, at most `shieldsAtOnce` */
async function forShields(
  select: (after: string | null) => Promise<string[]>,
  work: (ids: readonly string[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const ids: string[] = await select(after);
    if (ids.length > 0) await work(ids);
    after = ids.at(-1) ?? null;
    if (ids.length < shieldsAtOnce || signal?.aborted === true) return;
  }
}

/** Repeats as long as there may be more. */
async function repeat(portion: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || !(await portion())) return;
  }
}
