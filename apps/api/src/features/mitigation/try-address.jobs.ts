import type { Logger } from "pino";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { deleteEndedTry, selectEndedTries } from "./try-address.repository.ts";

const endedAtOnce = 200;

interface TryExpiryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly writes: ShieldWrites;
}

/** Takes names whose time is over out of the zone. Edges stop to take players by them at the time itself. */
export function tryExpiry({ db, clock, log, writes }: TryExpiryDeps): JobDefinition<object> {
  return {
    name: "mitigation.try-expiry",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "*/5 * * * *",
    async run() {
      const now = clock.now();
      for (const shieldId of await selectEndedTries(db, now, endedAtOnce)) {
        try {
          await db.transaction().execute(async (trx) => {
            if (await deleteEndedTry(trx, shieldId, now)) await writes.commit(trx, shieldId);
          });
        } catch (error) {
          // One shield does not hold up the others.
          log.error({ err: error, shieldId }, "A try address could not be removed");
        }
      }
    },
  };
}
