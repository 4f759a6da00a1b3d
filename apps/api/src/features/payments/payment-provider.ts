import type { PaymentMethod } from "@palisade/contract/http/billing";
import type { ProviderName } from "#src/schema/payments.ts";

/** An order to a provider. `intentId` is also the idempotency key there. */
export interface CheckoutOrder {
  readonly intentId: string;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: "EUR";
  /**
   * From this moment on no payment is taken, even if the payer has the page open or has approved
   * it; the daily limit relies on that. The provider's own deadline ensures it. For a provider
   * without one, `readRecord` no longer takes approved payments.
   */
  readonly expiresAt: Date;
  /** Paths of this site that the browser returns to. */
  readonly successPath: string;
  readonly cancelPath: string;
}

export interface Checkout {
  /** The provider's id of the checkout: its record is read and its events are matched by it. */
  readonly reference: string;
  /** The address that the browser is sent to. */
  readonly url: string;
}

/** A checkout whose record is read. */
export interface OrderedCheckout extends Pick<Checkout, "reference"> {
  readonly expiresAt: Date;
}

/**
 * The provider's own record of a checkout. It alone decides about money.
 *
 * - `open` the payer has not finished
 * - `processing` the payer has finished, but the money is not certain yet (bank transfers)
 * - `paid` final: the money has arrived
 * - `cancelled` no money was or will be taken
 * - `expired` the same, because the checkout's time is over
 */
export interface ProviderRecord {
  readonly status: "open" | "processing" | "paid" | "cancelled" | "expired";
  /** The intent it was ordered for, as the provider recorded it. */
  readonly intentId: string;
  readonly amountCents: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The account that the provider pays out to. */
  readonly account: string;
  /** As far as the provider says it of a paid one. */
  readonly countries?: PayerCountries;
}

/** ISO 3166: of the card's bank, and of the wallet's owner. */
export interface PayerCountries {
  readonly card?: string;
  readonly wallet?: string;
}

/** A payment that arrived without an order of this installation. */
export interface StrayPayment {
  /** The provider's id of the payment, as it is in its list. */
  readonly reference: string;
  readonly record: ProviderRecord;
}

/**
 * Money of a paid checkout that went back to the payer, as the provider recorded it.
 *
 * - `taken` the money has left, or is on its way
 * - `returned` it came back: the refund failed, or the dispute was won
 */
export interface ProviderReversal {
  readonly kind: "refund" | "dispute";
  /** The provider's id of the refund or dispute. */
  readonly id: string;
  /** The id of this installation's own order of the refund; null for any other. */
  readonly refundId: string | null;
  readonly amountCents: number;
  readonly currency: string;
  readonly state: "taken" | "returned";
}

/** An order to give a payer money back. `refundId` is also the idempotency key there. */
export interface RefundOrder extends Pick<Checkout, "reference"> {
  readonly refundId: string;
  readonly amountCents: number;
}

/** A delivery as it arrived. Its signature covers the exact bytes of the body. */
export interface WebhookDelivery {
  readonly body: Buffer;
  readonly header: (name: string) => string | undefined;
  readonly now: Date;
}

export interface ProviderEvent {
  /** The same in every repetition of the event. */
  readonly eventId: string;
  readonly type: string;
  /** The checkout or payment it is about; null if it is about something else. */
  readonly reference: string | null;
}

export interface ListedEvent extends ProviderEvent {
  readonly body: Buffer;
}

/**
 * A payment provider. An event is only a hint to read the record; its content is not believed.
 * Network calls have deadlines and throw when the provider does not answer.
 */
export interface PaymentProvider {
  readonly name: ProviderName;
  /** This installation's account there; a record that names another account is not credited. */
  readonly account: string;
  /**
   * Repeated calls for one intent, also concurrent ones, return the same checkout.
   *
   * @param signal aborts when the answer is no longer waited for
   */
  createCheckout(order: CheckoutOrder, signal: AbortSignal): Promise<Checkout>;
  /**
   * Reads the record with this installation's own credentials. If the provider leaves it to the
   * merchant to take an approved payment (PayPal's capture), this takes it first: once, and not
   * after `expiresAt`, when the record is `expired`.
   *
   * @returns null if the provider knows no such checkout
   */
  readRecord(checkout: OrderedCheckout): Promise<ProviderRecord | null>;
  /** @throws EventRefused if the delivery is forged, altered, stale or unreadable */
  readEvent(delivery: WebhookDelivery): Promise<ProviderEvent>;
  /** The events about money since a moment, as they were delivered or should have been. */
  listEvents?(since: Date): Promise<readonly ListedEvent[]>;
  /** False while the provider cannot be used, because it has not named this account yet. */
  isReady?(): boolean;
  /**
   * The intent of an event's reference that is no checkout, by the provider's own record; null if
   * there is none.
   */
  intentOf?(reference: string): Promise<string | null>;
  /**
   * Reads what an event's reference names, without changing anything there.
   *
   * @returns null unless it is a payment that has arrived
   */
  readStray?(reference: string): Promise<StrayPayment | null>;
  /** Every refund and dispute of a paid checkout. */
  readReversals?(checkout: Pick<Checkout, "reference">): Promise<readonly ProviderReversal[]>;
  /**
   * Repeated calls for one `refundId` refund once.
   *
   * @throws RefundRefused if the provider will never carry it out
   */
  refund?(order: RefundOrder): Promise<void>;
  /** Closes an open checkout, which then takes no payment. */
  closeCheckout?(checkout: Pick<Checkout, "reference">): Promise<void>;
}

/** The provider refuses a refund for good; the reason is for staff and the log. */
export class RefundRefused extends Error {
  override name = "RefundRefused";
}

/** A delivery that does not prove its origin. The reason is for the log only. */
export class EventRefused extends Error {
  override name = "EventRefused";
}

/** The providers of this installation. */
export interface PaymentProviders {
  /** The provider that takes payments of this method, or undefined. */
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
    forMethod(method) {
      const provider = hasReal ? named(method) : named("sandbox");
      return provider?.isReady?.() === false ? undefined : provider;
    },
  };
}
