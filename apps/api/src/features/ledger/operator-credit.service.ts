import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { balanceOf, credit } from "./ledger.service.ts";
import type { Balance } from "./money.service.ts";

/**
 * Credits cash from the operator's command line, with a row in the account's audit log.
 *
 * @throws BusinessKeyTaken if `key` was used for another account or amount
 */
export function creditByOperator(
  { db, audit }: { readonly db: Db; readonly audit: AuditLog },
  order: {
    readonly userId: string;
    readonly cents: number;
    readonly reason: string;
    readonly key: string;
    readonly now: Date;
  },
): Promise<{ isNew: boolean; balance: Balance }> {
  const { userId, cents, reason, key, now } = order;
  return db.transaction().execute(async (trx) => {
    const { isNew } = await credit(trx, {
      kind: "adjustment",
      from: "adjustments",
      to: "cash",
      userId,
      cents,
      businessKey: `operator-credit:${key}`,
      note: reason,
      at: now,
    });
    const balance = await balanceOf(trx, userId);
    if (isNew) {
      const row = { chain: `user:${userId}`, status: 201, at: now };
      await audit.append(trx, commandEntry("ledger credit", row));
    }
    return { isNew, balance };
  });
}
