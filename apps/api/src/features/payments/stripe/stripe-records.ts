import type { Stripe } from "stripe";
import type { ProviderRecord, ProviderReversal } from "../payment-provider.ts";
import { idOf } from "./stripe-client.ts";

/** This installation, as Stripe knows it. */
export interface StripeIdentity {
  readonly account: string;
  readonly livemode: boolean;
}

type Status = ProviderRecord["status"];

/** The name of the intent in the metadata of everything that is ordered for it. */
export const intentKey = "intent_id";
export const refundKey = "refund_id";

/**
 * @param session with its payment intent expanded
 * @param isOver whether the time in which it may be paid has passed
 */
export function readSession(
  session: Stripe.Checkout.Session,
  identity: StripeIdentity,
  isOver: boolean,
): ProviderRecord {
  const payment = typeof session.payment_intent === "object" ? session.payment_intent : null;
  const status = sessionStatus(session, payment, isOver);
  return {
    status,
    intentId: session.client_reference_id ?? "",
    // The amount that has arrived counts, not the amount that was ordered.
    amountCents:
      status === "paid" && payment !== null ? payment.amount_received : (session.amount_total ?? 0),
    currency: (payment?.currency ?? session.currency ?? "").toUpperCase(),
    account: accountOf(session.livemode, identity),
    ...countriesOf(payment),
  };
}

function sessionStatus(
  session: Stripe.Checkout.Session,
  payment: Stripe.PaymentIntent | null,
  isOver: boolean,
): Status {
  if (session.status === "complete") {
    if (session.payment_status !== "unpaid") return "paid";
    // A bank transfer or debit is under way until the payment has ended.
    return payment === null || payment.status === "processing"
      ? "processing"
      : unpaidStatus(payment);
  }
  if (session.status !== "expired") return "open";
  // It was closed before its time, because the payer had cancelled.
  return isOver ? "expired" : "cancelled";
}

function unpaidStatus({ status }: Stripe.PaymentIntent): Status {
  if (status === "succeeded") return "paid";
  return status === "canceled" || status === "requires_payment_method" ? "cancelled" : "processing";
}

/** The record of a charge of a saved card, which has no checkout. */
export function readPayment(
  payment: Stripe.PaymentIntent,
  identity: StripeIdentity,
): ProviderRecord {
  return {
    status: paymentStatus(payment),
    intentId: payment.metadata[intentKey] ?? "",
    amountCents: payment.status === "succeeded" ? payment.amount_received : payment.amount,
    currency: payment.currency.toUpperCase(),
    account: accountOf(payment.livemode, identity),
    ...countriesOf(payment),
  };
}

function paymentStatus({ status }: Stripe.PaymentIntent): Status {
  if (status === "succeeded") return "paid";
  if (status === "canceled") return "cancelled";
  return status === "processing" || status === "requires_capture" ? "processing" : "open";
}

/** @param payment with its charge expanded */
function countriesOf(payment: Stripe.PaymentIntent | null): Pick<ProviderRecord, "countries"> {
  const charge = payment?.latest_charge;
  const country =
    typeof charge === "object" ? charge?.payment_method_details?.card?.country : undefined;
  return typeof country === "string" ? { countries: { card: country } } : {};
}

/** A record of the other mode belongs to the same account, but its money is not real or not a test. */
function accountOf(livemode: boolean, identity: StripeIdentity): string {
  if (livemode === identity.livemode) return identity.account;
  return `${identity.account} in ${livemode ? "live" : "test"} mode`;
}

export function readRefund(refund: Stripe.Refund): ProviderReversal {
  const isReturned = refund.status === "failed" || refund.status === "canceled";
  return {
    kind: "refund",
    id: refund.id,
    refundId: refund.metadata?.[refundKey] ?? null,
    amountCents: refund.amount,
    currency: refund.currency.toUpperCase(),
    state: isReturned ? "returned" : "taken",
  };
}

/** Null while Stripe has taken nothing: an inquiry, or a dispute that was prevented. */
export function readDispute(dispute: Stripe.Dispute): ProviderReversal | null {
  const amounts = dispute.balance_transactions.map(({ amount }) => amount);
  if (!amounts.some((amount) => amount < 0)) return null;
  const isBack = amounts.some((amount) => amount > 0);
  return {
    kind: "dispute",
    id: dispute.id,
    refundId: null,
    amountCents: dispute.amount,
    currency: dispute.currency.toUpperCase(),
    state: isBack ? "returned" : "taken",
  };
}

/** The checkout, payment or customer that an event is about. */
export function referenceOf(event: Stripe.Event): string | null {
  const { object } = event.data;
  const kind = object.object;
  if (kind === "checkout.session" || kind === "payment_intent") return object.id;
  if (kind === "charge" || kind === "refund" || kind === "dispute") {
    return idOf(object.payment_intent);
  }
  if (kind === "payment_method") return idOf(object.customer) ?? formerCustomer(event);
  return null;
}

/** A removed card no longer names its customer; the event tells what it was before. */
function formerCustomer(event: Stripe.Event): string | null {
  const before: unknown = event.data.previous_attributes;
  if (typeof before !== "object" || before === null || !("customer" in before)) return null;
  return typeof before.customer === "string" ? before.customer : null;
}
