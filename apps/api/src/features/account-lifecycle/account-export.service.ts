import type { Db } from "#src/platform/database/db.ts";
import { addressChain } from "#src/platform/http/pipeline/audit-log.ts";
import type { Keys } from "#src/platform/security/derived-key.ts";
import { exportParts } from "./account-export.repository.ts";
import type { ExportSubject } from "./export-part.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { emailKeyOf } from "#src/features/users/users.service.ts";

/** Reads everything kept about the caller in one snapshot, so that its parts fit each other. */
export function createAccountExport({
  db,
  addressChainKeys,
}: {
  readonly db: Db;
  readonly addressChainKeys: Keys;
}) {
  return async (ctx: CustomerContext): Promise<Record<string, unknown>> => {
    const { userId, email } = ctx.actor;
    const emailKey = emailKeyOf(email);
    const subject: ExportSubject = {
      userId,
      emailKey,
      addressChains: addressChainKeys.map((key) => addressChain(key, emailKey)),
    };
    return db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (trx) => {
        const account: Record<string, unknown> = {};
        for (const [name, read] of Object.entries(exportParts)) {
          account[name] = await read(trx, subject);
        }
        return account;
      });
  };
}
