import {
  paymentMethods,
  topUpEuros,
  type PaymentMethod,
  type PaymentOptions,
} from "@palisade/contract/http/billing";
import { quotePromoCode } from "#src/features/promo-codes/promo-codes.service.ts";
import { readCallerVat } from "#src/features/vat/vat.service.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import { newId } from "#src/platform/database/ids.ts";
import { checkoutLifeMs, orderWindowMs } from "./checkouts.policy.ts";
import { insertIntent, lockTopUps, sumTopUps } from "./intents.repository.ts";
import { firstPollDelayMs } from "./poll.policy.ts";
import type { PaymentProviders } from "./payment-provider.ts";

export interface TopUpOrder {
  readonly userId: string;
  /** The endpoint's own method. */
  readonly method: PaymentMethod;
  readonly body: {
    readonly amount: number;
    readonly payment_method: PaymentMethod;
    readonly promo_code?: string | undefined;
  };
  readonly now: Date;
}

/**
 * Stores an intent. `checkouts.service.ts` orders its checkout after the commit, so that no
 * transaction stays open while a provider answers.
 *
 * @returns the intent's id
 * @throws DomainError `payment_unavailable`, `promo_invalid`, `daily_limit`
 */
export async function startTopUp(
  trx: Trx,
  providers: PaymentProviders,
  order: TopUpOrder,
): Promise<string> {
  const { userId, method, body, now } = order;
  if (body.payment_method !== method) {
    throw fieldError("payment_method", "payment_method.mismatch");
  }
  const provider = providers.forMethod(method);
  if (provider === undefined) throw new DomainError("payment_unavailable");
  const amountCents = body.amount * 100;
  const code = body.promo_code;
  const offer =
    code === undefined
      ? null
      : await quotePromoCode(trx, { code, userId, amountCents, now }, "promo_code");
  await lockTopUps(trx, userId);
  await requireWithinDay(trx, userId, amountCents, now);

  const id = newId();
  await insertIntent(trx, {
    id,
    user_id: userId,
    payment_method: method,
    provider: provider.name,
    provider_account: provider.account,
    reference: null,
    amount_cents: amountCents,
    currency: "EUR",
    promo_code_id: offer?.promoCodeId ?? null,
    promo_state: offer === null ? null : "promised",
    bonus_cents: offer?.bonusCents ?? 0,
    status: "pending",
    review_reason: null,
    created_at: now,
    expires_at: new Date(now.getTime() + checkoutLifeMs),
    settled_at: null,
    next_poll_at: new Date(now.getTime() + firstPollDelayMs),
  });
  return id;
}

/** The methods the caller can pay with, and how much they may still top up today. */
export async function paymentOptions(
  db: Db,
  providers: PaymentProviders,
  userId: string,
  now: Date,
): Promise<PaymentOptions> {
  const methods = paymentMethods.map((method) => {
    const provider = providers.forMethod(method);
    const mode = provider?.name === "sandbox" ? ("sandbox" as const) : ("live" as const);
    return {
      payment_method: method,
      mode: provider === undefined ? ("unavailable" as const) : mode,
    };
  });
  return {
    methods,
    minimum: topUpEuros.min,
    maximum: await eurosLeft(db, userId, now),
    vat: await readCallerVat(db, userId, now),
  };
}

/** Call it under `lockTopUps`: of two top-ups at the same time the second counts the first. */
async function requireWithinDay(
  trx: Trx,
  userId: string,
  amountCents: number,
  now: Date,
): Promise<void> {
  const euros = await eurosLeft(trx, userId, now);
  if (amountCents <= euros * 100) return;
  throw new DomainError("daily_limit", {
    values: { euros },
    issues: [{ path: "amount", code: "error.daily_limit" }],
  });
}

async function eurosLeft(db: Executor, userId: string, now: Date): Promise<number> {
  const midnight = new Date(now);
  midnight.setUTCHours(0, 0, 0, 0);
  const orderedSince = new Date(now.getTime() - orderWindowMs);
  const taken = await sumTopUps(db, userId, { since: midnight, orderedSince });
  return Math.max(0, topUpEuros.max - Math.ceil(taken / 100));
}
