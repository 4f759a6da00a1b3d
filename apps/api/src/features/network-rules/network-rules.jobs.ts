import type { Logger } from "pino";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { deleteEnded, selectShieldWithEnded } from "./network-rules.repository.ts";

/** With so many failures the cause is not a single shield. */
const failuresMax = 200;
/** A rule that has ended is shown for so long. */
const shownMs = 24 * 3_600_000;

export interface NetworkRuleJobsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly writes: ShieldWrites;
  readonly log: Logger;
}

/** Removes rules that ended a day ago. Edges ignore a rule from its end on, whether or not this runs. */
export function endedRulesSweep(deps: NetworkRuleJobsDeps): JobDefinition<object> {
  const { db, clock, writes, log } = deps;
  return {
    name: "network-rules.sweep",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "17 * * * *",
    async run(_data, signal) {
      const before = new Date(clock.now().getTime() - shownMs);
      const failed: string[] = [];
      while (failed.length < failuresMax) {
        const shieldId = await selectShieldWithEnded(db, before, failed);
        if (shieldId === undefined || signal?.aborted === true) break;
        try {
          await db.transaction().execute(async (trx) => {
            if ((await deleteEnded(trx, shieldId, before)) > 0) await writes.commit(trx, shieldId);
          });
        } catch (error) {
          // A shield that fails does not hold up the others.
          failed.push(shieldId);
          log.error({ err: error, shieldId }, "Ended rules of a shield could not be removed");
        }
      }
    },
  };
}
