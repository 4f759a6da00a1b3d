import { renderText } from "@palisade/contract/texts/render";
import type { AccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { blockShield, unblockShield } from "#src/features/renewals/operator-plans.service.ts";
import { endSessions } from "#src/features/sessions/sessions.service.ts";
import {
  askTwoFactorOff,
  decideTwoFactorOff,
} from "#src/features/staff-orders/staff-orders.service.ts";
import { takeTwoFactorOff } from "#src/features/two-factor/two-factor-removal.service.ts";
import { lockUser } from "#src/features/users/users.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { UserRow } from "#src/schema/accounts.ts";
import { refusalOf } from "./order-refusals.ts";
import { hasPasskeys, selectOwnShields, setBlocked } from "./staff-users.repository.ts";

export interface StaffUsersDeps {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly notices: AccountNotices;
  readonly writes: ShieldWrites;
}

export type StaffUsers = ReturnType<typeof createStaffUsers>;

/** The reason that owners read, and by which the lift of the block knows its shields. */
const withAccount = renderText("en", "staff.shield_blocked_with_account");

/**
 * A customer's account that staff are about to change. The call is in the account's own audit log,
 * so that its owner sees that support made it.
 *
 * @throws DomainError `not_found`, `conflict` for an account of staff
 */
async function lockCustomer(trx: Trx, ctx: CustomerContext, userId: string): Promise<UserRow> {
  const user = await lockUser(trx, userId);
  if (user === undefined || user.deleted_at !== null) throw new DomainError("not_found");
  if (user.role === "staff") throw new DomainError("conflict", { text: "staff.not_of_staff" });
  ctx.auditAccount(user.id);
  return user;
}

/** Staff with the right role do these things to a customer's account. */
export function createStaffUsers(deps: StaffUsersDeps) {
  return {
    /**
     * Ends the sessions; keys stop, because each call looks the account up. Asked again, it blocks the
     * shields that a first call has left.
     */
    async block(
      ctx: CustomerContext,
      userId: string,
      { blockShields }: { readonly blockShields: boolean },
    ): Promise<void> {
      await unitOfWork(ctx, async (trx) => {
        const user = await lockCustomer(trx, ctx, userId);
        if (user.blocked_at !== null && !blockShields) {
          throw new DomainError("conflict", { text: "staff.user_blocked_already" });
        }
        if (user.blocked_at === null) await setBlocked(trx, userId, ctx.now);
        await endSessions(trx, userId);
      });
      if (!blockShields) return;
      for (const { cname_record: label } of await selectOwnShields(deps.db, userId)) {
        await blockShield(deps, { label, reason: withAccount, now: ctx.now });
      }
    },

    /** Shields that were blocked for another reason stay blocked. */
    async unblock(ctx: CustomerContext, userId: string, reason: string): Promise<void> {
      const shields = await selectOwnShields(deps.db, userId);
      const blocked = shields.filter(
        ({ status, blocked_reason: why }) => status === "blocked" && why === withAccount,
      );
      await unitOfWork(ctx, async (trx) => {
        const user = await lockCustomer(trx, ctx, userId);
        if (user.blocked_at === null && blocked.length === 0) {
          throw new DomainError("conflict", { text: "staff.user_not_blocked" });
        }
        await setBlocked(trx, userId, null);
      });
      for (const { cname_record: label } of blocked) {
        await unblockShield(deps, { label, reason, now: ctx.now });
      }
    },

    async logOut(ctx: CustomerContext, userId: string): Promise<void> {
      await unitOfWork(ctx, async (trx) => {
        const user = await lockCustomer(trx, ctx, userId);
        await endSessions(trx, user.id);
      });
    },

    /** @returns the order that another staff member decides */
    askTwoFactorOff(ctx: CustomerContext, userId: string, reason: string): Promise<string> {
      return unitOfWork(ctx, async (trx) => {
        const user = await lockCustomer(trx, ctx, userId);
        if (user.two_factor_enabled_at === null && !(await hasPasskeys(trx, userId))) {
          throw new DomainError("conflict", { text: "staff.two_factor_off_already" });
        }
        const by = ctx.actor.userId;
        const id = await askTwoFactorOff(trx, { userId, reason, by, now: ctx.now });
        if (id === null) throw new DomainError("conflict", { text: "staff.order_asked" });
        return id;
      });
    },

    confirmTwoFactorOff(ctx: CustomerContext, userId: string, reason: string): Promise<void> {
      return unitOfWork(ctx, async (trx) => {
        const user = await lockCustomer(trx, ctx, userId);
        const decision = { status: "done", by: ctx.actor.userId, reason, now: ctx.now } as const;
        await decideTwoFactorOff(trx, userId, decision).catch(refusalOf);
        const isRemoved = await takeTwoFactorOff(trx, deps.notices, user, ctx.now);
        if (!isRemoved) throw new DomainError("conflict", { text: "staff.two_factor_off_already" });
      });
    },

    rejectTwoFactorOff(ctx: CustomerContext, userId: string, reason: string): Promise<void> {
      return unitOfWork(ctx, async (trx) => {
        await lockCustomer(trx, ctx, userId);
        const by = ctx.actor.userId;
        const decision = { status: "rejected", by, reason, now: ctx.now } as const;
        await decideTwoFactorOff(trx, userId, decision).catch(refusalOf);
      });
    },
  };
}
