import { commandEntry } from "#src/features/audit/audit.service.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import { addMonths, firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { findConfirmedAccount } from "#src/features/users/users.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { declareOwnLock } from "#src/platform/database/lock-order.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { selectSupportPlanBySlug } from "./operator-plans.repository.ts";
import {
  deleteSupport,
  insertSupport,
  lockBuyer,
  selectSupport,
  updateSupport,
} from "./support-subscriptions.repository.ts";

export type SupportOutcome = "done" | "already" | "unknown" | "unknown plan";

/**
 * Puts an account on a support plan by hand, on today's terms of that plan. Nothing is charged or
 * given back: a paid period goes on to its end, an account without one gets its first period as a
 * gift, and the free plan ends a paid one now.
 */
export async function setSupportByHand(
  { db, audit }: { readonly db: Db; readonly audit: AuditLog },
  order: {
    readonly email: string;
    readonly slug: string;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<SupportOutcome> {
  const { slug, reason, now } = order;
  return db.transaction().execute(async (trx) => {
    let chain = "system";
    const outcome = await setSupportIn(trx, order, (userId) => {
      chain = `user:${userId}`;
      declareOwnLock(trx, () => audit.lock(trx, chain));
    });
    if (outcome === "done") {
      const row = { chain, status: 200, at: now };
      await audit.append(trx, commandEntry(`support plan ${slug}: ${reason}`, row));
    }
    return outcome;
  });
}

/**
 * The same in a transaction whose caller puts it on record.
 *
 * @param onFound called before anything is locked
 */
export async function setSupportIn(
  trx: Trx,
  order: { readonly email: string; readonly slug: string; readonly now: Date },
  onFound: (userId: string) => void = () => undefined,
): Promise<SupportOutcome> {
  const plan = await selectSupportPlanBySlug(trx, order.slug);
  if (plan === undefined) return "unknown plan";
  const account = await findConfirmedAccount(trx, order.email);
  if (account === undefined) return "unknown";
  onFound(account.id);
  return (await move(trx, account.id, plan, order.now)) ? "done" : "already";
}

/** @returns false if the account has this plan at this price */
async function move(
  trx: Trx,
  userId: string,
  { id: planId, price_cents }: { readonly id: string; readonly price_cents: string },
  now: Date,
): Promise<boolean> {
  await lockBuyer(trx, userId);
  const held = await selectSupport(trx, userId);
  if (readCents(price_cents) === 0) {
    if (held !== undefined) await deleteSupport(trx, userId);
    return held !== undefined;
  }
  const terms = { support_plan_id: planId, price_cents };
  if (held === undefined) {
    const period_ends_at = addMonths(now, 1);
    await insertSupport(trx, {
      ...terms,
      user_id: userId,
      anchor_at: now,
      period: 1,
      period_starts_at: now,
      period_ends_at,
      next_renewal_at: firstTryAt(period_ends_at),
      first_is_given: true,
      created_at: now,
    });
    return true;
  }
  const isSame = held.support_plan_id === planId && held.price_cents === price_cents;
  if (isSame && held.planned_plan_id === null) return false;
  await updateSupport(trx, userId, {
    ...terms,
    planned_plan_id: null,
    planned_price_cents: null,
    next_renewal_at: firstTryAt(held.period_ends_at),
  });
  return true;
}
