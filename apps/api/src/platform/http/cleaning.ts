import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";

/** A key may be used again once no client would still repeat the request. */
const idempotencyKeyLifeMs = 86_400_000;

/** Removes spent limits and idempotency keys, hourly. */
export function platformCleaning(db: Db, clock: Clock): JobDefinition<object> {
  return {
    name: "platform.clean",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "7 * * * *",
    async run() {
      const now = clock.now();
      await db.deleteFrom("rate_limits").where("expires_at", "<=", now).execute();
      const before = new Date(now.getTime() - idempotencyKeyLifeMs);
      await db.deleteFrom("idempotency_keys").where("created_at", "<", before).execute();
    },
  };
}
