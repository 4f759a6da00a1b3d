import type { BalanceForecast } from "@palisade/contract/http/automatic-payments";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { formatCents, readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { grossPrices } from "#src/features/vat/vat.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { addMonths, firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { selectRenewalsOf, type RenewalOfAccount } from "./renewals.repository.ts";

/** A balance that lasts longer needs no date. */
const monthsMax = 24;

interface Charge {
  readonly renewal: RenewalOfAccount;
  readonly at: Date;
  readonly cents: number;
  readonly isFirst: boolean;
}

/** The next renewals of an account, and the first one that its balance does not cover. */
export async function balanceForecast(
  db: Executor,
  {
    userId,
    hasCard,
    now,
  }: { readonly userId: string; readonly hasCard: boolean; readonly now: Date },
): Promise<BalanceForecast> {
  const renewals = await selectRenewalsOf(db, userId);
  const gross = await grossPrices(db, userId, now);
  const charges = renewals
    .flatMap((renewal) => chargesOf(renewal, gross))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  let left = spendableCents(await balanceOf(db, userId));
  let lastsUntil: Date | null = null;
  const covered = new Map<RenewalOfAccount, boolean>();
  for (const { renewal, at, cents, isFirst } of charges) {
    if (!renewal.from_balance) continue;
    const isCovered = cents <= left;
    if (isCovered) left -= cents;
    else lastsUntil ??= at;
    if (isFirst) covered.set(renewal, isCovered || hasCard);
  }
  const monthly = renewals
    .filter(({ from_balance }) => from_balance)
    .reduce((sum, { price_cents }) => sum + gross(readCents(price_cents)), 0);
  return {
    balance_lasts_until: hasCard ? null : (lastsUntil?.toISOString() ?? null),
    monthly: formatCents(monthly),
    monthly_cents: monthly,
    renewals: charges
      .filter(({ isFirst }) => isFirst)
      .map(({ renewal, at, cents }) => ({
        server_id: renewal.shield_id,
        name: renewal.name,
        charge_at: at.toISOString(),
        price: formatCents(cents),
        price_cents: cents,
        covered: covered.get(renewal) ?? null,
      })),
  };
}

function chargesOf(renewal: RenewalOfAccount, gross: (netCents: number) => number): Charge[] {
  const cents = gross(readCents(renewal.price_cents));
  if (cents === 0) return [];
  return Array.from({ length: monthsMax }, (_, index) => {
    const endsAt = addMonths(renewal.anchor_at, renewal.period + index);
    const isFirst = index === 0;
    return { renewal, at: isFirst && renewal.at_end ? endsAt : firstTryAt(endsAt), cents, isFirst };
  });
}
