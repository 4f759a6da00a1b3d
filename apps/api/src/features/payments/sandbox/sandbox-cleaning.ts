import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { deleteCheckouts } from "./sandbox.repository.ts";

/** Long after anybody last asks about a checkout (`lookedAfterMs`). */
const checkoutLifeMs = 90 * 86_400_000;

/** Removes the sandbox's own records of long ago, daily. */
export function sandboxCleaning(db: Db, clock: Clock): JobDefinition<object> {
  return {
    name: "sandbox.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "27 3 * * *",
    async run() {
      await deleteCheckouts(db, new Date(clock.now().getTime() - checkoutLifeMs));
    },
  };
}
