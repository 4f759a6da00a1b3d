import { z } from "zod";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { refreshTraffic } from "#src/features/renewals/traffic-limits.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { lockShieldOn, selectShieldsOn } from "./staff-plans.repository.ts";

export const planLimitsJobName = "plans.apply-limits";
const batchShields = 200;

const order = z.object({ planId: z.uuid() });

/**
 * Brings a plan's changed limits to the edges, shield by shield, so that a change of a shield waits
 * for one other at most. To do it twice has the same effect.
 */
export function planLimitsJob(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly writes: ShieldWrites;
}): JobDefinition<object> {
  const { db, clock, writes } = deps;
  return {
    name: planLimitsJobName,
    retryLimit: 10,
    retryDelaySeconds: 30,
    tryLimitSeconds: 3_600,
    async run(data, signal) {
      const { planId } = order.parse(data);
      for (let afterId: string | null = null; ;) {
        if (signal?.aborted === true) {
          throw new Error("Stopped before every shield had the plan's limits");
        }
        const ids: string[] = await selectShieldsOn(db, planId, { afterId, limit: batchShields });
        if (ids.length === 0) return;
        for (const id of ids) {
          await db.transaction().execute(async (trx) => {
            if (!(await lockShieldOn(trx, planId, id))) return;
            await refreshTraffic(trx, id, clock.now());
            await writes.commit(trx, id);
          });
        }
        afterId = ids.at(-1) ?? null;
      }
    },
  };
}
