import type { Db } from "#src/platform/database/db.ts";
import { exportParts } from "./account-export.repository.ts";
import type { CustomerContext } from "./customer-context.ts";
import { requireRecentAuthentication } from "#src/platform/http/recent-authentication.ts";

/** What is kept about the caller, read in one snapshot so that its parts fit each other. */
export async function exportAccount(
  db: Db,
  ctx: CustomerContext,
): Promise<Record<string, unknown>> {
  requireRecentAuthentication(ctx);
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const account: Record<string, unknown> = {};
      for (const [name, read] of Object.entries(exportParts)) {
        account[name] = await read(trx, ctx.actor.userId);
      }
      return account;
    });
}
