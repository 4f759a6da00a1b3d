import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { emptyBodies } from "./events.repository.ts";

/** A provider's event may name the payer, so it is kept only to look into recent trouble. */
const bodyKeptMs = 14 * 86_400_000;

/** A backlog is emptied in steps, each of which holds its locks only briefly. */
const perStatementMax = 1_000;

/** Empties old processed events, daily. Their ids stay, so that a repeated delivery is recognised. */
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
