import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  captureBody,
  disputeBody,
  orderBody,
  refundBody,
  transactionsOf,
} from "./paypal-bodies.ts";
import { malformed, notFound, unprocessable, type PaypalAnswer } from "./paypal-errors.ts";
import type { Dispute, PaypalStoredOrder, Refund } from "./paypal-records.ts";

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
