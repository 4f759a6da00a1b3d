import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { emptyBodies } from "./events.repository.ts";

/** What a provider sent may name the payer: kept only for a look at recent trouble. */
const bodyKeptMs = 14 * 86_400_000;

/** So that a backlog is taken in steps, each short enough for its locks. */
const perStatementMax = 1_000;

/** Empties events that were worked long ago, daily. Their ids stay: a repetition is known by them. */
export function eventRetentionJob(db: Db, clock: Clock): JobDefinition<object> {
  return {
    name: "payments.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "17 3 * * *",
    async run() {
      const before = new Date(clock.now().getTime() - bodyKeptMs);
      while ((await emptyBodies(db, before, perStatementMax)) === perStatementMax);
    },
  };
}
