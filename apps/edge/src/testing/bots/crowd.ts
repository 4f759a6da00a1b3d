import { setTimeout as delay } from "node:timers/promises";

export interface CrowdOptions {
  readonly atOnce: number;
  /** How many begin in a second, at most. */
  readonly perSecond: number;
}

/** Runs all jobs, so many at once. A job that fails ends all. */
export async function runCrowd(
  jobs: readonly (() => Promise<void>)[],
  { atOnce, perSecond }: CrowdOptions,
): Promise<void> {
  const beganAtMs = performance.now();
  let begun = 0;
  const next = async (): Promise<void> => {
    for (let job = jobs[begun]; job !== undefined; job = jobs[begun]) {
      const dueMs = beganAtMs + (begun * 1_000) / perSecond;
      begun++;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
      await job();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, next));
}
