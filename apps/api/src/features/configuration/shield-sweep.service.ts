import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { type DueColumn, lockToEnd, selectDueShield } from "./shield-sweep.repository.ts";
import type { ShieldWrites } from "./shield-writes.service.ts";

/** With so many failures the cause is not a single shield. */
const failuresMax = 200;

export interface ShieldSweepDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly writes: ShieldWrites;
  readonly log: Logger;
}

/** Something that ends at its time without a change by an owner. */
export interface ShieldSweep {
  readonly name: string;
  readonly cron: string;
  /** Logged with a shield for which it failed. */
  readonly failure: string;
  readonly due: DueColumn;
  /** It is ended so long after it is due. */
  readonly afterMs?: number;
  /**
   * Ends what was due before that time; the shield is locked.
   *
   * @returns whether its configuration changes by that
   */
  end(trx: Trx, shieldId: string, before: Date): Promise<boolean>;
}

/** A job that ends it for one shield after the other, each in a transaction with its next revision. */
export function shieldSweep(
  { db, clock, writes, log }: ShieldSweepDeps,
  sweep: ShieldSweep,
): JobDefinition<object> {
  const { due, afterMs = 0 } = sweep;
  return {
    name: sweep.name,
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: sweep.cron,
    async run(_data, signal) {
      const before = new Date(clock.now().getTime() - afterMs);
      const failed: string[] = [];
      while (failed.length < failuresMax) {
        const shieldId = await selectDueShield(db, due, { before, but: failed });
        if (shieldId === undefined || signal?.aborted === true) break;
        try {
          await db.transaction().execute(async (trx) => {
            const status = await lockToEnd(trx, shieldId);
            const isChanged = await sweep.end(trx, shieldId, before);
            if (isChanged && status !== "deleted") await writes.commit(trx, shieldId);
          });
        } catch (error) {
          // A shield that fails does not hold up the others.
          failed.push(shieldId);
          log.error({ err: error, shieldId }, sweep.failure);
        }
      }
    },
  };
}
