import type { PaymentMethod } from "@palisade/contract/http/billing";
import type { ProviderName } from "#src/schema/payments.ts";

/** What is ordered at a provider. `intentId` is also its idempotency key there. */
export interface CheckoutOrder {
  readonly intentId: string;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: "EUR";
  /**
   * From this moment on nothing is taken, whatever the payer has open or approved: what may be
   * topped up in a day counts on it. At the provider by its own deadline or, where it has none for
   * payers, because we take no payment that was approved (`readRecord`).
   */
  readonly expiresAt: Date;
  /** Where the browser returns to, as paths of this site. */
  readonly successPath: string;
  readonly cancelPath: string;
}

export interface Checkout {
  /** The provider's name for it, by which its record is read and its events are matched. */
  readonly reference: string;
  /** Where the browser is sent. */
  readonly url: string;
}

/** A checkout to ask about. */
export interface OrderedCheckout extends Pick<Checkout, "reference"> {
  readonly expiresAt: Date;
}

/**
 * What the provider itself holds about a checkout. It alone decides about money.
 *
 * - `open` the payer has not finished
 * - `processing` the payer has, the money is not certain yet (bank transfers)
 * - `paid` final: the money is ours
 * - `cancelled` nothing was or will be taken
 * - `expired` the same, since its time is over
 */
export interface ProviderRecord {
  readonly status: "open" | "processing" | "paid" | "cancelled" | "expired";
  /** The intent it was ordered for, as the provider recorded it. */
  readonly intentId: string;
  readonly amountCents: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** Whom the provider pays. */
  readonly account: string;
}

/** A delivery as it came in. Signatures are over the body's own bytes. */
export interface WebhookDelivery {
  readonly body: Buffer;
  readonly header: (name: string) => string | undefined;
  readonly now: Date;
}

export interface ProviderEvent {
  /** The same at every repetition. */
  readonly eventId: string;
  readonly type: string;
  /** The checkout it is about; null where it is about something else. */
  readonly reference: string | null;
}

/**
 * A payment provider. Nothing an event says is believed: it only tells that there is something to
 * read. Calls of the network have deadlines and throw when the provider cannot be asked.
 */
export interface PaymentProvider {
  readonly name: ProviderName;
  /** Our account there; a record that names another one is not ours. */
  readonly account: string;
  /**
   * Called again for the same intent, also at the same time, it answers the same checkout.
   *
   * @param signal aborts when nobody waits for the answer any more
   */
  createCheckout(order: CheckoutOrder, signal: AbortSignal): Promise<Checkout>;
  /**
   * Reads the record with our own authority. Where the provider leaves it to us to take a payment
   * that the payer approved (PayPal's capture), takes it first, once, and never from `expiresAt` on:
   * the record is `expired` then.
   *
   * @returns null where the provider knows no such checkout
   */
  readRecord(checkout: OrderedCheckout): Promise<ProviderRecord | null>;
  /** @throws EventRefused where the delivery is forged, altered, stale or unreadable */
  readEvent(delivery: WebhookDelivery): Promise<ProviderEvent>;
}

/** A delivery that does not prove where it comes from; the reason is for the log only. */
export class EventRefused extends Error {
  override name = "EventRefused";
}

/** The providers of this installation. */
export interface PaymentProviders {
  /** Who takes payments of this method; undefined: nobody. */
  forMethod(method: PaymentMethod): PaymentProvider | undefined;
  named(name: ProviderName): PaymentProvider | undefined;
}

/**
 * The provider of a method's name takes it. While no real provider is set up, the sandbox takes all
 * methods; top-ups it took earlier stay readable once there is one.
 */
export function createPaymentProviders(providers: readonly PaymentProvider[]): PaymentProviders {
  const named: PaymentProviders["named"] = (name) =>
    providers.find((provider) => provider.name === name);
  const hasReal = providers.some(({ name }) => name !== "sandbox");
  return {
    named,
    forMethod: (method) => (hasReal ? named(method) : named("sandbox")),
  };
}
