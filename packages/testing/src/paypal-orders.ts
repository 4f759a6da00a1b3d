import { randomBytes } from "node:crypto";
import { z } from "zod";

/** An answer of the stand-in: a status and a body as PayPal sends them. */
export interface PaypalAnswer {
  readonly status: number;
  readonly body: object;
}

const money = z.object({ currency_code: z.string(), value: z.string().regex(/^\d+(\.\d{2})?$/) });
const orderRequest = z.object({
  intent: z.literal("CAPTURE"),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().max(255).optional(),
        invoice_id: z.string().max(127).optional(),
        amount: money,
      }),
    )
    .length(1),
  payment_source: z.object({
    paypal: z.object({
      experience_context: z.object({ return_url: z.url(), cancel_url: z.url() }),
    }),
  }),
});
const refundRequest = z.object({
  amount: money.optional(),
  custom_id: z.string().max(127).optional(),
});

export type CaptureStatus =
  | "COMPLETED"
  | "PENDING"
  | "DECLINED"
  | "REFUNDED"
  | "PARTIALLY_REFUNDED";

interface Refund {
  readonly id: string;
  readonly cents: number;
  readonly customId: string | undefined;
  readonly at: Date;
  status: "COMPLETED" | "PENDING" | "FAILED";
}

interface Dispute {
  readonly id: string;
  status: "OPEN" | "RESOLVED";
  outcome?: string;
}

export interface PaypalStoredOrder {
  readonly id: string;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly createdAt: Date;
  updatedAt: Date;
  cents: number;
  currency: string;
  payee: string;
  /** The country of the payer's account, which PayPal names once they have approved. */
  payerCountry: string;
  status: "PAYER_ACTION_REQUIRED" | "APPROVED" | "COMPLETED" | "VOIDED";
  capture?: { readonly id: string; readonly at: Date; status: CaptureStatus };
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
}

/** How a capture ends: as asked for by the test. */
export type CaptureOutcome = "COMPLETED" | "PENDING" | "DECLINED" | "INSTRUMENT_DECLINED";

export interface PaypalOrdersOptions {
  readonly merchantId: string;
  readonly origin: () => string;
  readonly now: () => Date;
  readonly send: (type: string, resourceType: string, resource: object) => void;
}

/** The records of PayPal's stand-in: orders with their payments, and what requests make of them. */
export function createPaypalOrders(options: PaypalOrdersOptions) {
  const { merchantId, now, send } = options;
  const orders = new Map<string, PaypalStoredOrder>();
  /** The order, capture or refund that a request id was used for. */
  const requests = new Map<string, string>();
  let outcome: CaptureOutcome = "COMPLETED";
  let refundStatus: Refund["status"] = "COMPLETED";

  const find = (id: string): PaypalStoredOrder => {
    const order = orders.get(id);
    if (order === undefined) throw new Error(`The stand-in has no order ${id}`);
    return order;
  };
  const byCapture = (id: string) => [...orders.values()].find(({ capture }) => capture?.id === id);
  const presentOrder = (order: PaypalStoredOrder) => orderBody(order, options.origin());

  function create(body: unknown, requestId: string | undefined): PaypalAnswer {
    const parsed = orderRequest.safeParse(body);
    if (!parsed.success) return malformed(parsed.error.issues[0]?.path.join("/") ?? "");
    if (requestId === undefined) return malformed("PayPal-Request-Id");
    const known = requests.get(`order ${requestId}`);
    if (known !== undefined) return { status: 200, body: presentOrder(find(known)) };
    const [unit] = parsed.data.purchase_units;
    if (unit === undefined) return malformed("purchase_units");
    const context = parsed.data.payment_source.paypal.experience_context;
    const order: PaypalStoredOrder = {
      id: newPaypalId(),
      customId: unit.custom_id,
      invoiceId: unit.invoice_id,
      returnUrl: context.return_url,
      cancelUrl: context.cancel_url,
      createdAt: now(),
      updatedAt: now(),
      cents: toCents(unit.amount.value),
      currency: unit.amount.currency_code,
      payee: merchantId,
      payerCountry: "DE",
      status: "PAYER_ACTION_REQUIRED",
      refunds: [],
      disputes: [],
    };
    orders.set(order.id, order);
    requests.set(`order ${requestId}`, order.id);
    return { status: 201, body: presentOrder(order) };
  }

  function capture(id: string, requestId: string | undefined): PaypalAnswer {
    const order = orders.get(id);
    if (order === undefined) return notFound();
    if (requestId !== undefined && requests.get(`capture ${requestId}`) === "declined") {
      return unprocessable("INSTRUMENT_DECLINED", "The instrument presented was declined.");
    }
    if (requestId !== undefined && requests.has(`capture ${requestId}`)) {
      return { status: 200, body: presentOrder(order) };
    }
    if (order.capture !== undefined) {
      return unprocessable("ORDER_ALREADY_CAPTURED", "Order already captured.");
    }
    if (order.status !== "APPROVED") {
      return unprocessable("ORDER_NOT_APPROVED", "Payer has not yet approved the Order.");
    }
    const isPaidElsewhere = [...orders.values()].some(
      (other) =>
        other.invoiceId !== undefined &&
        other.invoiceId === order.invoiceId &&
        other.capture !== undefined,
    );
    if (isPaidElsewhere) {
      return unprocessable("DUPLICATE_INVOICE_ID", "Duplicate Invoice ID detected.");
    }
    if (outcome === "INSTRUMENT_DECLINED") {
      if (requestId !== undefined) requests.set(`capture ${requestId}`, "declined");
      return unprocessable("INSTRUMENT_DECLINED", "The instrument presented was declined.");
    }
    order.capture = { id: newPaypalId(), at: now(), status: outcome };
    order.status = "COMPLETED";
    order.updatedAt = now();
    if (requestId !== undefined) requests.set(`capture ${requestId}`, id);
    sendCapture(order);
    return { status: 201, body: presentOrder(order) };
  }

  function sendCapture(order: PaypalStoredOrder, type?: string): void {
    const status = order.capture?.status ?? "COMPLETED";
    send(`PAYMENT.CAPTURE.${type ?? status}`, "capture", captureBody(order, options.origin()));
  }

  function refund(captureId: string, body: unknown, requestId: string | undefined): PaypalAnswer {
    const order = byCapture(captureId);
    const taken = order?.capture;
    if (order === undefined || taken === undefined) return notFound();
    const known = requests.get(`refund ${requestId ?? ""}`);
    const again = order.refunds.find(({ id }) => id === known);
    if (again !== undefined)
      return { status: 200, body: refundBody(order, again, options.origin()) };
    const parsed = refundRequest.safeParse(body);
    if (!parsed.success) return malformed("amount");
    const left = order.cents - refundedCents(order);
    if (left === 0) {
      return unprocessable(
        "CAPTURE_FULLY_REFUNDED",
        "The capture has already been fully refunded.",
      );
    }
    const cents = parsed.data.amount === undefined ? left : toCents(parsed.data.amount.value);
    if (cents > left) {
      return unprocessable(
        "REFUND_AMOUNT_EXCEEDED",
        "The refund amount must be less than or equal to the capture amount that has not yet been refunded.",
      );
    }
    const made: Refund = {
      id: newPaypalId(),
      cents,
      customId: parsed.data.custom_id,
      at: now(),
      status: refundStatus,
    };
    order.refunds.push(made);
    settleRefunds(order);
    if (requestId !== undefined) requests.set(`refund ${requestId}`, made.id);
    send("PAYMENT.CAPTURE.REFUNDED", "refund", refundBody(order, made, options.origin()));
    return { status: 201, body: refundBody(order, made, options.origin()) };
  }

  function settleRefunds(order: PaypalStoredOrder): void {
    if (order.capture === undefined) return;
    const back = refundedCents(order);
    order.capture.status = back === 0 ? "COMPLETED" : "PARTIALLY_REFUNDED";
    if (back === order.cents) order.capture.status = "REFUNDED";
    order.updatedAt = now();
  }

  return {
    create,
    capture,
    refund,
    find,
    all: () => [...orders.values()],
    read(id: string): PaypalAnswer {
      const order = orders.get(id);
      return order === undefined ? notFound() : { status: 200, body: presentOrder(order) };
    },
    readCapture(id: string): PaypalAnswer {
      const order = byCapture(id);
      return order === undefined
        ? notFound()
        : { status: 200, body: captureBody(order, options.origin()) };
    },
    disputesOf(captureId: string): PaypalAnswer {
      const items = byCapture(captureId)?.disputes ?? [];
      return { status: 200, body: { items: items.map(({ id }) => ({ dispute_id: id })) } };
    },
    readDispute(id: string): PaypalAnswer {
      const order = [...orders.values()].find(({ disputes }) =>
        disputes.some((one) => one.id === id),
      );
      const found = order?.disputes.find((one) => one.id === id);
      if (order === undefined || found === undefined) return notFound();
      return { status: 200, body: disputeBody(order, found) };
    },
    /** The payer approves on the page. An order that is over stays as it is. */
    approve(id: string): void {
      const order = find(id);
      if (order.status === "COMPLETED" || order.status === "VOIDED") return;
      order.status = "APPROVED";
      order.updatedAt = now();
      send("CHECKOUT.ORDER.APPROVED", "checkout-order", presentOrder(order));
    },
    /** How the next captures end. */
    setCaptureOutcome(next: CaptureOutcome): void {
      outcome = next;
    },
    setRefundStatus(next: Refund["status"]): void {
      refundStatus = next;
    },
    /** PayPal has decided about a payment that was PENDING. */
    decideCapture(id: string, status: "COMPLETED" | "DECLINED"): void {
      const order = find(id);
      if (order.capture === undefined) throw new Error(`The order ${id} has no capture`);
      order.capture.status = status;
      sendCapture(order);
    },
    openDispute(id: string): string {
      const order = find(id);
      const opened: Dispute = { id: `PP-D-${newPaypalId()}`, status: "OPEN" };
      order.disputes.push(opened);
      send("CUSTOMER.DISPUTE.CREATED", "dispute", disputeBody(order, opened));
      return opened.id;
    },
    resolveDispute(id: string, outcomeCode: string): void {
      for (const order of orders.values()) {
        const found = order.disputes.find((one) => one.id === id);
        if (found === undefined) continue;
        found.status = "RESOLVED";
        found.outcome = outcomeCode;
        send("CUSTOMER.DISPUTE.RESOLVED", "dispute", disputeBody(order, found));
      }
    },
    /** Transaction Search: payments and refunds, by the time at which they were made. */
    listTransactions(from: Date, to: Date): object[] {
      return this.all().flatMap((order) => transactionsOf(order, from, to));
    },
  };
}

export type PaypalOrders = ReturnType<typeof createPaypalOrders>;

function transactionsOf(order: PaypalStoredOrder, from: Date, to: Date): object[] {
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

/** 17 letters and digits, as PayPal's ids are. */
function newPaypalId(): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
  return [...randomBytes(17)].map((byte) => letters[byte % letters.length]).join("");
}

function refundedCents({ refunds }: PaypalStoredOrder): number {
  return refunds
    .filter(({ status }) => status !== "FAILED")
    .reduce((sum, { cents }) => sum + cents, 0);
}

function toCents(value: string): number {
  return Math.round(Number(value) * 100);
}

function toValue(cents: number): string {
  return (cents / 100).toFixed(2);
}

function orderBody(order: PaypalStoredOrder, origin: string): object {
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

function captureBody(order: PaypalStoredOrder, origin: string): object {
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

function refundBody(order: PaypalStoredOrder, refund: Refund, origin: string): object {
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

function disputeBody(order: PaypalStoredOrder, dispute: Dispute): object {
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

export function problem(
  status: number,
  name: string,
  message: string,
  details: readonly { readonly issue: string; readonly description: string }[] = [],
): PaypalAnswer {
  return {
    status,
    body: {
      name,
      message,
      debug_id: randomBytes(7).toString("hex").slice(0, 13),
      details,
      links: [
        {
          href: `https://developer.paypal.com/docs/api/orders/v2/#error-${name}`,
          rel: "information_link",
        },
      ],
    },
  };
}

export function notFound(): PaypalAnswer {
  return problem(404, "RESOURCE_NOT_FOUND", "The specified resource does not exist.", [
    {
      issue: "INVALID_RESOURCE_ID",
      description:
        "Specified resource ID does not exist. Please check the resource ID and try again.",
    },
  ]);
}

export function unprocessable(issue: string, description: string): PaypalAnswer {
  return problem(
    422,
    "UNPROCESSABLE_ENTITY",
    "The requested action could not be performed, semantically incorrect, or failed business validation.",
    [{ issue, description }],
  );
}

function malformed(field: string): PaypalAnswer {
  return problem(
    400,
    "INVALID_REQUEST",
    "Request is not well-formed, syntactically incorrect, or violates schema.",
    [{ issue: "MISSING_REQUIRED_PARAMETER", description: `A required field is missing: ${field}` }],
  );
}
