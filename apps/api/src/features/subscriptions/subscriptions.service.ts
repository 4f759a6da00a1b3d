import { charge } from "#src/features/ledger/ledger.service.ts";
import { requirePurchasesOpen } from "#src/features/ledger/purchase-freeze.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { addMonths, firstTryAt } from "./billing-period.service.ts";
import { insertSubscription } from "./subscriptions.repository.ts";

export interface Purchase {
  readonly shieldId: string;
  readonly planId: string;
  readonly priceCents: number;
  readonly now: Date;
}

/**
 * Charges the first period of a new shield. The balance stays locked until `trx` ends: of two
 * purchases with money for one, the second is refused.
 *
 * @throws DomainError `insufficient_funds`, `purchases_frozen`
 */
export async function payFirstPeriod(
  trx: Trx,
  payerId: string,
  { shieldId, planId, priceCents, now }: Purchase,
): Promise<void> {
  if (priceCents === 0) return;
  await requirePurchasesOpen(trx);
  await charge(trx, {
    userId: payerId,
    cents: priceCents,
    businessKey: `purchase:${shieldId}`,
    at: now,
    period: { planId, startsAt: now, endsAt: addMonths(now, 1) },
  });
}

/** Starts the period that `payFirstPeriod` charged; the shield must exist. Free plans never end. */
export async function beginSubscription(trx: Trx, purchase: Purchase): Promise<void> {
  const { shieldId, planId, priceCents, now } = purchase;
  if (priceCents === 0) return;
  const period_ends_at = addMonths(now, 1);
  await insertSubscription(trx, {
    shield_id: shieldId,
    pricing_plan_id: planId,
    price_cents: priceCents,
    anchor_at: now,
    period: 1,
    period_starts_at: now,
    period_ends_at,
    next_renewal_at: firstTryAt(period_ends_at),
    created_at: now,
  });
}
