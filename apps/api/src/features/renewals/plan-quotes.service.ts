import {
  quoteMinutes,
  type ExceededLimit,
  type PlanQuote,
} from "@palisade/contract/http/plan-changes";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { formatCents, readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { taxPrice } from "#src/features/vat/vat.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { insertQuote, selectQuote } from "./plan-quotes.repository.ts";

/** A change of a plan, as it would be made now. */
export interface PlanChange {
  readonly kind: "now" | "at_period_end";
  readonly plan: { readonly id: string; readonly name: string };
  readonly priceCents: number;
  /** Without VAT, as prices are. */
  readonly dueCents: number;
  readonly effectiveAt: Date;
  /** The end of the period after the change. */
  readonly periodEndsAt: Date | null;
  /** The price was made from these: another plan or period before the change makes it void. */
  readonly from: { readonly planId: string | null; readonly periodEndsAt: Date | null };
}

interface Buyer {
  readonly userId: string;
  /** Null: the account's support plan. */
  readonly shieldId: string | null;
  readonly now: Date;
}

/** Holds the price of a change for some minutes, and says what it would do. */
export async function holdPrice(
  trx: Trx,
  { userId, shieldId, now }: Buyer,
  change: PlanChange,
  exceeded: readonly ExceededLimit[],
): Promise<PlanQuote> {
  const expiresAt = new Date(now.getTime() + quoteMinutes * 60_000);
  const id = change.kind === "now" ? newId() : null;
  if (id !== null) {
    await insertQuote(trx, {
      id,
      user_id: userId,
      shield_id: shieldId,
      plan_id: change.plan.id,
      cents: change.dueCents,
      price_cents: change.priceCents,
      from_plan_id: change.from.planId,
      period_ends_at: change.from.periodEndsAt,
      created_at: now,
      expires_at: expiresAt,
    });
  }
  const due = await taxPrice(trx, { userId, netCents: change.dueCents, at: now });
  const left = spendableCents(await balanceOf(trx, userId)) - due.grossCents;
  return {
    id,
    kind: change.kind,
    plan: change.plan,
    price: formatCents(change.priceCents),
    price_cents: change.priceCents,
    due: formatCents(due.grossCents),
    due_cents: due.grossCents,
    vat: formatCents(due.taxCents),
    vat_cents: due.taxCents,
    balance_after: left < 0 ? null : formatCents(left),
    balance_after_cents: left < 0 ? null : left,
    missing: formatCents(Math.max(0, -left)),
    missing_cents: Math.max(0, -left),
    effective_at: change.effectiveAt.toISOString(),
    period_ends_at: change.periodEndsAt?.toISOString() ?? null,
    expires_at: expiresAt.toISOString(),
    exceeded: [...exceeded],
  };
}

/**
 * The price of a change that is confirmed: of the quote, or of now without one.
 *
 * @throws DomainError `quote_expired`, or `price_changed` where plan, price or period are no longer
 *   what the quote was made from
 */
export async function confirmedCents(
  trx: Trx,
  { userId, shieldId, now }: Buyer,
  change: PlanChange,
  quoteId: string | undefined,
): Promise<number> {
  if (quoteId === undefined) return change.dueCents;
  const quote = await selectQuote(trx, userId, quoteId);
  if (quote === undefined || quote.shield_id !== shieldId || quote.expires_at <= now) {
    throw new DomainError("quote_expired");
  }
  const isSame =
    quote.plan_id === change.plan.id &&
    quote.from_plan_id === change.from.planId &&
    quote.period_ends_at?.getTime() === change.from.periodEndsAt?.getTime() &&
    readCents(quote.price_cents) === change.priceCents;
  if (isSame) return readCents(quote.cents);
  throw new DomainError("price_changed", { values: { price: formatCents(change.priceCents) } });
}
