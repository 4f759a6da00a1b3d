import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { deleteOldAnswers } from "./idempotency.repository.ts";
import { deleteOldHits } from "./limits.repository.ts";

/** A key may be used again once no client would still repeat the request. */
const idempotencyKeyLifeMs = 86_400_000;

/** Hourly: deletes rate limits whose window has ended and old idempotency keys. */
export function pipelineRetentionJob(db: Db, clock: Clock): JobDefinition<object> {
  return {
    name: "platform.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "7 * * * *",
    async run() {
      const now = clock.now();
      await deleteOldHits(db, now);
      await deleteOldAnswers(db, new Date(now.getTime() - idempotencyKeyLifeMs));
    },
  };
}
