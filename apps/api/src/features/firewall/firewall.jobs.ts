import { endedShownMs } from "@palisade/contract/http/firewall-entry";
import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { deleteEndedBefore, lockToEnd, markEnded, selectDue } from "./entry-ends.repository.ts";
import { updateSwitches } from "./firewall.repository.ts";

/** With so many failures the cause is not a single shield. */
const failuresMax = 200;

export interface FirewallJobsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly writes: ShieldWrites;
  readonly log: Logger;
}

/**
 * Takes entries whose end has passed out of configurations, and removes them a day later. Edges have
 * stopped to apply them by then, by their own clocks.
 */
export function firewallEnds({ db, clock, writes, log }: FirewallJobsDeps): JobDefinition<object> {
  return {
    name: "firewall.ends",
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
          await db.transaction().execute((trx) => endEntries(writes, trx, shieldId, now));
        } catch (error) {
          // A shield that fails does not hold up the others.
          failed.push(shieldId);
          log.error({ err: error, shieldId }, "Entries of a firewall could not be ended");
        }
      }
    },
  };
}

async function endEntries(
  writes: ShieldWrites,
  trx: Trx,
  shieldId: string,
  now: Date,
): Promise<void> {
  const status = await lockToEnd(trx, shieldId);
  const ended = await markEnded(trx, shieldId, now);
  await deleteEndedBefore(trx, shieldId, new Date(now.getTime() - endedShownMs));
  await updateSwitches(trx, shieldId, {});
  if (ended > 0 && status !== "deleted") await writes.commit(trx, shieldId);
}
