import type { ProviderRecord } from "../payment-provider.ts";
import { readPaypalValue, type PaypalOrder } from "./paypal-answers.ts";

/** Whether the payer has approved and it is this side's turn to take the money. */
export function mayCapture(order: PaypalOrder, expiresAt: Date, now: Date): boolean {
  return order.status === "APPROVED" && now < expiresAt;
}

/**
 * PayPal's order as the record that decides about money. Money that was given back counts as not
 * taken: a payment that was refunded before its credit does not match its intent.
 */
export function recordOf(order: PaypalOrder, expiresAt: Date, now: Date): ProviderRecord {
  const [unit] = order.purchase_units;
  if (unit === undefined) throw new Error(`The order ${order.id} of PayPal has no content`);
  const [capture] = unit.payments?.captures ?? [];
  const taken = capture?.amount ?? unit.amount;
  const status = statusOf(order, expiresAt, now);
  return {
    status,
    intentId: unit.custom_id ?? "",
    amountCents: readPaypalValue(taken.value) - (status === "paid" ? returnedCents(order) : 0),
    currency: taken.currency_code,
    account: unit.payee?.merchant_id ?? "",
    ...countriesOf(order),
  };
}

function countriesOf({
  payment_source: source,
  payer,
}: PaypalOrder): Pick<ProviderRecord, "countries"> {
  const wallet = source?.paypal?.address?.country_code ?? payer?.address?.country_code;
  return wallet === undefined ? {} : { countries: { wallet } };
}

/** Cents of a capture that went back to the payer, or are on their way. */
export function returnedCents(order: PaypalOrder): number {
  const { captures = [], refunds = [] } = order.purchase_units[0]?.payments ?? {};
  const refunded = refunds
    .filter(({ status }) => status === "COMPLETED" || status === "PENDING")
    .reduce((sum, { amount }) => sum + readPaypalValue(amount?.value ?? "0"), 0);
  const [capture] = captures;
  const isAllBack = capture?.status === "REFUNDED" || capture?.status === "REVERSED";
  return isAllBack ? readPaypalValue(capture.amount.value) : refunded;
}

function statusOf(order: PaypalOrder, expiresAt: Date, now: Date): ProviderRecord["status"] {
  const [capture] = order.purchase_units[0]?.payments?.captures ?? [];
  if (capture !== undefined) return statusOfCapture(capture.status);
  if (order.status === "VOIDED") return "cancelled";
  // Without a capture PayPal takes nothing, and none is asked for any more.
  if (now >= expiresAt) return "expired";
  // APPROVED only after a capture that was declined: the payer may choose another source.
  return order.status === "COMPLETED" ? "processing" : "open";
}

function statusOfCapture(status: string): ProviderRecord["status"] {
  switch (status) {
    case "COMPLETED":
    case "PARTIALLY_REFUNDED":
    case "REFUNDED":
    case "REVERSED":
      return "paid";
    case "DECLINED":
    case "FAILED":
      return "cancelled";
    default:
      return "processing";
  }
}
