import type { Dispute, PaypalStoredOrder, Refund } from "./paypal-records.ts";

/** Bodies as PayPal sends them, of what its stand-in remembers. */

export function orderBody(order: PaypalStoredOrder, origin: string): object {
  const self = `${origin}/v2/checkout/orders/${order.id}`;
  const links = [{ href: self, rel: "self", method: "GET" }];
  if (order.status === "PAYER_ACTION_REQUIRED") {
    links.push({
      href: `${origin}/checkoutnow?token=${order.id}`,
      rel: "payer-action",
      method: "GET",
    });
  }
  if (order.status === "APPROVED") {
    links.push({ href: `${self}/capture`, rel: "capture", method: "POST" });
  }
  return {
    id: order.id,
    intent: "CAPTURE",
    status: order.status,
    create_time: order.createdAt.toISOString(),
    update_time: order.updatedAt.toISOString(),
    ...((order.status === "APPROVED" || order.status === "COMPLETED") && {
      payer: { payer_id: "QYR5Z8XDVJNXQ", address: { country_code: order.payerCountry } },
      payment_source: {
        paypal: {
          account_id: "QYR5Z8XDVJNXQ",
          account_status: "VERIFIED",
          address: { country_code: order.payerCountry },
        },
      },
    }),
    purchase_units: [
      {
        reference_id: "default",
        custom_id: order.customId,
        invoice_id: order.invoiceId,
        amount: { currency_code: order.currency, value: toValue(order.cents) },
        payee: { merchant_id: order.payee, email_address: "merchant@example.com" },
        ...(order.capture !== undefined && {
          payments: {
            captures: [captureBody(order, origin)],
            ...(order.refunds.length > 0 && {
              refunds: order.refunds.map((each) => refundBody(order, each, origin)),
            }),
          },
        }),
      },
    ],
    links,
  };
}

export function captureBody(order: PaypalStoredOrder, origin: string): object {
  const { capture } = order;
  if (capture === undefined) return {};
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === "PENDING" && { status_details: { reason: "PENDING_REVIEW" } }),
    amount: { currency_code: order.currency, value: toValue(order.cents) },
    final_capture: true,
    custom_id: order.customId,
    invoice_id: order.invoiceId,
    supplementary_data: { related_ids: { order_id: order.id } },
    create_time: capture.at.toISOString(),
    links: [
      { href: `${origin}/v2/payments/captures/${capture.id}`, rel: "self", method: "GET" },
      { href: `${origin}/v2/checkout/orders/${order.id}`, rel: "up", method: "GET" },
    ],
  };
}

export function refundBody(order: PaypalStoredOrder, refund: Refund, origin: string): object {
  return {
    id: refund.id,
    status: refund.status,
    amount: { currency_code: order.currency, value: toValue(refund.cents) },
    custom_id: refund.customId,
    invoice_id: order.invoiceId,
    create_time: refund.at.toISOString(),
    links: [
      { href: `${origin}/v2/payments/refunds/${refund.id}`, rel: "self", method: "GET" },
      {
        href: `${origin}/v2/payments/captures/${order.capture?.id ?? ""}`,
        rel: "up",
        method: "GET",
      },
    ],
  };
}

export function disputeBody(order: PaypalStoredOrder, dispute: Dispute): object {
  return {
    dispute_id: dispute.id,
    status: dispute.status,
    reason: "UNAUTHORISED",
    dispute_amount: { currency_code: order.currency, value: toValue(order.cents) },
    disputed_transactions: [
      { seller_transaction_id: order.capture?.id, seller: { merchant_id: order.payee } },
    ],
    ...(dispute.outcome !== undefined && { dispute_outcome: { outcome_code: dispute.outcome } }),
  };
}

/** Lines of Transaction Search. */
export function transactionsOf(order: PaypalStoredOrder, from: Date, to: Date): object[] {
  const row = (id: string, code: string, cents: number, at: Date, of?: string) =>
    at < from || at > to
      ? []
      : [
          {
            transaction_info: {
              transaction_id: id,
              ...(of !== undefined && {
                paypal_reference_id: of,
                paypal_reference_id_type: "TXN",
              }),
              transaction_event_code: code,
              transaction_initiation_date: at.toISOString().replace(/\.\d+Z$/, "+0000"),
              transaction_amount: { currency_code: order.currency, value: toValue(cents) },
              transaction_status: "S",
              ...(order.customId !== undefined && { custom_field: order.customId }),
              ...(order.invoiceId !== undefined && { invoice_id: order.invoiceId }),
            },
          },
        ];
  const { capture, refunds } = order;
  if (capture === undefined || capture.status === "DECLINED" || capture.status === "PENDING") {
    return [];
  }
  return [
    ...row(capture.id, "T0006", order.cents, capture.at),
    ...refunds.flatMap(({ id, cents, at }) => row(id, "T1107", -cents, at, capture.id)),
  ];
}

function toValue(cents: number): string {
  return (cents / 100).toFixed(2);
}
