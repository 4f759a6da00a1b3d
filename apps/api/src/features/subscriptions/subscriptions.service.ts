import { charge } from "#src/features/ledger/ledger.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { addMonths } from "./billing-period.service.ts";
import { insertSubscription } from "./subscriptions.repository.ts";

export interface Purchase {
  readonly shieldId: string;
  readonly planId: string;
  readonly priceCents: number;
  readonly now: Date;
}

/**
 * Takes the price of a new shield's first period. The balance stays locked until `trx` ends, so
 * of two purchases with funds for one the second is refused.
 *
 * @throws DomainError `insufficient_funds`
 */
export async function payFirstPeriod(
  trx: Trx,
  payerId: string,
  { shieldId, priceCents, now }: Purchase,
): Promise<void> {
  if (priceCents === 0) return;
  await charge(trx, {
    userId: payerId,
    cents: priceCents,
    businessKey: `purchase:${shieldId}`,
    at: now,
  });
}

/** Begins what `payFirstPeriod` paid for; the shield must exist by now. Free plans have no end. */
export async function beginSubscription(trx: Trx, purchase: Purchase): Promise<void> {
  const { shieldId, planId, priceCents, now } = purchase;
  if (priceCents === 0) return;
  await insertSubscription(trx, {
    shield_id: shieldId,
    pricing_plan_id: planId,
    price_cents: priceCents,
    anchor_at: now,
    period: 1,
    period_starts_at: now,
    period_ends_at: addMonths(now, 1),
    created_at: now,
  });
}
