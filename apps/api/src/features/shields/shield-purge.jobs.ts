import type { Logger } from "pino";
import { deletePortionOfLogins } from "#src/features/logs/login-entries.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { restorableSince } from "./shield-deadlines.ts";
import {
  deleteNamesOfErased,
  deleteRows,
  statsTables,
  lockToPurge,
  selectToPurge,
  updateShield,
} from "./shield-life.repository.ts";
import { emptyShields } from "./shield-purge.service.ts";

/** With so many failures the cause is not a single shield. */
const failuresMax = 200;

export interface ShieldPurgeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Erases deleted shields that can no longer be restored; ledger and audit rows stay. */
export function shieldPurge({ db, clock, log }: ShieldPurgeDeps): JobDefinition<object> {
  return {
    name: "shields.purge",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "41 * * * *",
    async run(_data, signal) {
      const now = clock.now();
      const before = restorableSince(now);
      const failed: string[] = [];
      await deleteNamesOfErased(db);
      while (failed.length < failuresMax) {
        const shieldId = await selectToPurge(db, before, failed);
        if (shieldId === undefined || signal?.aborted === true) break;
        try {
          await db.transaction().execute(async (trx) => {
            if (!(await lockToPurge(trx, shieldId, before))) return;
            // There may be millions of logins: the shield stays due until none is left.
            if (await deletePortionOfLogins(trx, shieldId, 0)) return;
            await emptyShields(trx, [shieldId]);
            await deleteRows(trx, statsTables, [shieldId]);
            await updateShield(trx, shieldId, { erased_at: now, server_name: "" });
          });
        } catch (error) {
          // A shield that fails does not hold up the others.
          failed.push(shieldId);
          log.error({ err: error, shieldId }, "A deleted shield could not be erased");
        }
      }
    },
  };
}
