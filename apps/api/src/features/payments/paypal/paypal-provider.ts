import type { Clock } from "#src/platform/clock/clock.ts";
import type { CheckoutOrder, PaymentProvider } from "../payment-provider.ts";
import type { ReportingProvider } from "../provider-books.service.ts";
import { createdOrder, order, toPaypalValue, type PaypalOrder } from "./paypal-answers.ts";
import { PaypalRefusal, type PaypalClient } from "./paypal-client.ts";
import { readPaypalEvent } from "./paypal-events.ts";
import { listPaypalMovements } from "./paypal-movements.ts";
import { readOrder } from "./paypal-reads.ts";
import { mayCapture, recordOf } from "./paypal-record.policy.ts";
import { listReversals, refundCapture } from "./paypal-refunds.ts";

export interface PaypalProviderOptions {
  readonly client: PaypalClient;
  readonly clock: Clock;
  /** Our merchant id: PayPal's name of the account that is paid. */
  readonly merchantId: string;
  readonly webhookId: string;
  /** This site, without a slash at the end. */
  readonly origin: () => string;
}

export type PaypalProvider = ReportingProvider &
  Required<Pick<PaymentProvider, "refund" | "readReversals">>;

/**
 * PayPal Orders v2. An order has no deadline of ours there: PayPal takes an approved payment only
 * when `readRecord` captures it, which it does not do after the checkout's end.
 */
export function createPaypalProvider(options: PaypalProviderOptions): PaypalProvider {
  const { client, clock, merchantId, webhookId } = options;
  return {
    name: "paypal",
    account: merchantId,
    async createCheckout(wanted, signal) {
      const answer = await client.send({
        method: "POST",
        path: "/v2/checkout/orders",
        requestId: wanted.intentId,
        body: orderBody(wanted, options.origin()),
        signal,
      });
      const created = createdOrder.parse(answer);
      const payee = created.purchase_units?.[0]?.payee?.merchant_id;
      if (payee !== undefined && payee !== merchantId) {
        throw new Error(
          `PayPal would pay ${payee}, not ${merchantId}: PALISADE_PAYPAL_MERCHANT_ID is not the account of the keys`,
        );
      }
      const page = created.links.find(({ rel }) => rel === "payer-action" || rel === "approve");
      if (page === undefined)
        throw new Error(`PayPal's order ${created.id} has no page to approve`);
      return { reference: created.id, url: page.href };
    },
    async readRecord(checkout) {
      const found = await readOrder(client, checkout.reference);
      if (found === null) return null;
      const now = clock.now();
      const latest = mayCapture(found, checkout.expiresAt, now)
        ? await captureOrder(client, found)
        : found;
      return recordOf(latest, checkout.expiresAt, now);
    },
    async readStray(reference) {
      const found = await readOrder(client, reference);
      const capture = found?.purchase_units[0]?.payments?.captures?.[0];
      if (found === null || capture === undefined) return null;
      const now = clock.now();
      const record = recordOf(found, now, now);
      return record.status === "paid" ? { reference: capture.id, record } : null;
    },
    readEvent: (delivery) => readPaypalEvent(client, webhookId, delivery),
    refund: (wanted) => refundCapture(client, wanted),
    readReversals: ({ reference }) => listReversals(client, reference),
    listMovements: (from, to) => listPaypalMovements(client, from, to),
  };
}

function orderBody(wanted: CheckoutOrder, origin: string): object {
  return {
    intent: "CAPTURE",
    purchase_units: [
      {
        custom_id: wanted.intentId,
        // PayPal refuses a second payment of one invoice.
        invoice_id: wanted.intentId,
        description: "Palisade top-up",
        amount: { currency_code: wanted.currency, value: toPaypalValue(wanted.amountCents) },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: "Palisade",
          user_action: "PAY_NOW",
          shipping_preference: "NO_SHIPPING",
          payment_method_preference: "IMMEDIATE_PAYMENT_REQUIRED",
          return_url: `${origin}${wanted.successPath}`,
          cancel_url: `${origin}${wanted.cancelPath}`,
        },
      },
    },
  };
}

/**
 * Takes an approved payment. PayPal captures an order once whatever is sent to it; the request's id
 * changes with the order, so that a payer who chose another source after a decline is tried again.
 */
async function captureOrder(client: PaypalClient, approved: PaypalOrder): Promise<PaypalOrder> {
  const { id, update_time: version = "" } = approved;
  try {
    const answer = await client.send({
      method: "POST",
      path: `/v2/checkout/orders/${encodeURIComponent(id)}/capture`,
      requestId: `capture ${id} ${version}`.trim().replaceAll(/[^\w-]+/g, "-"),
      body: {},
    });
    return order.parse(answer);
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status !== 422) throw error;
    // Captured before, or declined: the record says which.
    const isKnown = ["ORDER_ALREADY_CAPTURED", "INSTRUMENT_DECLINED", "PAYER_ACTION_REQUIRED"];
    if (!isKnown.some((issue) => error.has(issue))) throw error;
    const latest = await readOrder(client, id);
    if (latest === null) throw error;
    return latest;
  }
}
