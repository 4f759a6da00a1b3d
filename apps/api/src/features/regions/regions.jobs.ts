import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { forgetLeft, selectDue } from "./regions.repository.ts";

/** With so many failures the cause is not a single shield. */
const failuresMax = 200;

export interface RegionJobsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly writes: ShieldWrites;
  readonly log: Logger;
}

/** Removes shields from the edges of regions they have left, once DNS no longer leads players there. */
export function regionSweep({ db, clock, writes, log }: RegionJobsDeps): JobDefinition<object> {
  return {
    name: "regions.sweep",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run(_data, signal) {
      const now = clock.now();
      const failed: string[] = [];
      while (failed.length < failuresMax) {
        const shieldId = await selectDue(db, now, failed);
        if (shieldId === undefined || signal?.aborted === true) break;
        try {
          await db.transaction().execute(async (trx) => {
            if (await forgetLeft(trx, shieldId, now)) await writes.commit(trx, shieldId);
          });
        } catch (error) {
          // A shield that fails does not hold up the others.
          failed.push(shieldId);
          log.error({ err: error, shieldId }, "A region that was left could not be taken off");
        }
      }
    },
  };
}
