import { topUpReturnPath } from "@palisade/contract/console-paths";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { createCheckoutQueue } from "./checkout-queue.ts";
import { mayOrder } from "./checkouts.policy.ts";
import { selectIntentOf, storeReference, type IntentRow } from "./intents.repository.ts";
import type { Checkout, PaymentProvider, PaymentProviders } from "./payment-provider.ts";

export interface CheckoutsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly providers: PaymentProviders;
  readonly failpoint: Failpoint;
}

export interface StartedCheckout {
  readonly url: string;
  readonly intent: IntentRow;
}

/** Orders the checkout of a committed intent. Every call for one intent returns the same checkout. */
export type OrderCheckout = (userId: string, intentId: string) => Promise<StartedCheckout>;

/**
 * A crash or failure on the way leaves an intent without a reference. `mayOrder` allows new tries
 * for a while; then the intent expires, and no payer ever had the checkout's address.
 *
 * @throws DomainError `payment_unavailable` when it is too late, `unavailable` when the provider
 *   does not answer, `rate_limited` when the user orders too many at once
 */
export function createCheckoutOrdering(deps: CheckoutsDeps): OrderCheckout {
  const { db, clock, providers, failpoint } = deps;
  const queue = createCheckoutQueue();
  const read = async (userId: string, intentId: string): Promise<IntentRow> => {
    const intent = await selectIntentOf(db, userId, intentId);
    if (intent === undefined) throw new DomainError("not_found");
    return intent;
  };
  return async (userId, intentId) => {
    const checkout = await queue.run(userId, async (signal) => {
      // Read here, because the order may have waited for its turn.
      const intent = await read(userId, intentId);
      const provider = providers.named(intent.provider);
      if (provider === undefined || !mayOrder(intent, clock.now())) {
        throw new DomainError("payment_unavailable");
      }
      return order(provider, intent, signal);
    });
    failpoint("checkout-created");
    if (!(await storeReference(db, intentId, checkout.reference))) {
      throw new Error(
        `The checkout of ${intentId} has another reference already, or the intent has ended`,
      );
    }
    failpoint("reference-stored");
    return { url: checkout.url, intent: await read(userId, intentId) };
  };
}

function order(
  provider: PaymentProvider,
  intent: IntentRow,
  signal: AbortSignal,
): Promise<Checkout> {
  return provider.createCheckout(
    {
      intentId: intent.id,
      paymentMethod: intent.payment_method,
      amountCents: intent.amountCents,
      currency: intent.currency,
      expiresAt: intent.expires_at,
      successPath: topUpReturnPath(intent.id, "paid"),
      cancelPath: topUpReturnPath(intent.id, "cancelled"),
    },
    signal,
  );
}
