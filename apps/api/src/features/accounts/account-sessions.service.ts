import type { AccountSession } from "@palisade/contract/http/account";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { CustomerContext } from "./customer-context.ts";
import { deviceName } from "./device-name.ts";
import { deleteSessionOf, selectSessionsOf } from "./session-list.repository.ts";
import { deleteSessionsOf } from "./sessions.repository.ts";

/** A session ends with its row: every replica asks for it at every call. */
export function createAccountSessions({ db }: { readonly db: Db }) {
  return {
    async list(ctx: CustomerContext): Promise<AccountSession[]> {
      const rows = await selectSessionsOf(db, ctx.actor.userId, ctx.now);
      return rows.map((row) => ({
        id: row.id,
        device: deviceName(row.device, ctx.locale),
        ip: row.ip,
        created_at: row.created_at.toISOString(),
        last_seen_at: row.last_seen_at.toISOString(),
        is_current: row.id === ctx.actor.credential.id,
      }));
    },

    /** @throws DomainError `not_found` for sessions of others too */
    async revoke(ctx: CustomerContext, id: string): Promise<void> {
      await unitOfWork(ctx, async (trx) => {
        if (!(await deleteSessionOf(trx, ctx.actor.userId, id))) throw new DomainError("not_found");
      });
    },

    async revokeAll(ctx: CustomerContext): Promise<void> {
      await unitOfWork(ctx, (trx) => deleteSessionsOf(trx, ctx.actor.userId));
    },
  };
}
