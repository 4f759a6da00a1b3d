import { balanceOf, charge } from "#src/features/ledger/ledger.service.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import { grossPrices } from "#src/features/vat/vat.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { addMonths, firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { leaseMs, nextSupportTryAt, supportRenewalKey } from "./renewal.policy.ts";
import type { RenewalDeps } from "./renewals.service.ts";
import {
  deleteSupport,
  lockBuyer,
  selectSupport,
  updateSupport,
  type SupportRow,
} from "./support-subscriptions.repository.ts";

type Deps = Omit<RenewalDeps, "writes">;

/**
 * Takes the next step of a support plan that is due, as `renewDue` does for shields. Without money
 * at its end the account is on the free plan again.
 */
export async function renewSupportDue(deps: Deps, userId: string, now: Date): Promise<void> {
  const begun = await deps.db.transaction().execute(async (trx) => {
    const row = await begin(trx, userId, now);
    if (row === null) return null;
    const gross = await grossPrices(trx, userId, now);
    const { cashCents } = await balanceOf(trx, userId);
    return { ...row, grossCents: gross(readCents(row.price_cents)), hasDebt: cashCents < 0 };
  });
  if (begun === null) return;
  deps.failpoint("support-renewal-begun");
  const key = supportRenewalKey(userId, begun.period_ends_at);
  const { grossCents } = begun;
  // A charge would pay the debt of a dispute, and not the plan.
  if (!begun.hasDebt) {
    await deps.cards.chargeSavedCard(userId, grossCents, `card:${key}:${grossCents}`);
  }
  deps.failpoint("support-renewal-card-charged");
  await deps.db.transaction().execute(async (trx) => {
    await lockBuyer(trx, userId);
    const row = await selectSupport(trx, userId);
    if (row?.period_ends_at.getTime() !== begun.period_ends_at.getTime()) return;
    await finish(deps, trx, row, now);
  });
}

async function begin(trx: Trx, userId: string, now: Date): Promise<SupportRow | null> {
  await lockBuyer(trx, userId);
  const row = await selectSupport(trx, userId);
  if (row === undefined || row.next_renewal_at > now) return null;
  const next_renewal_at = new Date(now.getTime() + leaseMs);
  if (row.planned_plan_id === null) {
    await updateSupport(trx, userId, { next_renewal_at });
    return row;
  }
  if (now < row.period_ends_at) {
    await updateSupport(trx, userId, { next_renewal_at: row.period_ends_at });
    return null;
  }
  const price_cents = row.planned_price_cents ?? row.price_cents;
  if (readCents(price_cents) === 0) {
    await deleteSupport(trx, userId);
    return null;
  }
  await updateSupport(trx, userId, {
    support_plan_id: row.planned_plan_id,
    price_cents,
    planned_plan_id: null,
    planned_price_cents: null,
    next_renewal_at,
  });
  return { ...row, price_cents };
}

async function finish(
  { mailer }: Pick<Deps, "mailer">,
  trx: Trx,
  row: SupportRow,
  now: Date,
): Promise<void> {
  const { user_id: userId, period_ends_at: endsAt } = row;
  if (await isPaid(trx, row, now)) {
    const period = row.period + 1;
    const period_ends_at = addMonths(row.anchor_at, period);
    return updateSupport(trx, userId, {
      period,
      period_starts_at: endsAt,
      period_ends_at,
      next_renewal_at: firstTryAt(period_ends_at),
      failed_renewals: 0,
      told: null,
    });
  }
  const values = {
    plan: row.plan_name,
    priceCents: readCents(row.price_cents),
    endsAt: endsAt.toISOString(),
  };
  const mail = { to: row.email, locale: row.locale, values };
  if (endsAt <= now) {
    await deleteSupport(trx, userId);
    return mailer.enqueue(trx, { ...mail, template: "renewals.support-ended" });
  }
  if (row.told !== "failed") {
    await mailer.enqueue(trx, { ...mail, template: "renewals.support-failed" });
  }
  await updateSupport(trx, userId, {
    next_renewal_at: nextSupportTryAt(endsAt, now),
    failed_renewals: row.failed_renewals + 1,
    told: "failed",
  });
}

async function isPaid(trx: Trx, row: SupportRow, now: Date): Promise<boolean> {
  try {
    await charge(trx, {
      kind: "renewal",
      userId: row.user_id,
      cents: readCents(row.price_cents),
      businessKey: supportRenewalKey(row.user_id, row.period_ends_at),
      at: now,
      period: {
        planId: row.support_plan_id,
        startsAt: row.period_ends_at,
        endsAt: addMonths(row.anchor_at, row.period + 1),
      },
    });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "insufficient_funds") return false;
    throw error;
  }
}
