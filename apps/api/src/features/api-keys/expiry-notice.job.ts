import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { takeExpiringKeys } from "./api-keys.repository.ts";

const noticeMs = 3 * 86_400_000;

/** Hourly: tells users which of their API keys are about to expire. */
export function expiryNoticeJob(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly notices: AccountNotices;
}): JobDefinition<object> {
  const { db, clock, notices } = deps;
  return {
    name: "accounts.upkeep",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "23 * * * *",
    async run() {
      const now = clock.now();
      await db.transaction().execute(async (trx) => {
        for (const { name, expiresAt, ...to } of await takeExpiringKeys(trx, now, noticeMs)) {
          const values = { name, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) };
          await notices.sendProduct(trx, to, "api-key-expiring", values);
        }
      });
    },
  };
}
