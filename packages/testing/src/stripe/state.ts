import { randomBytes } from "node:crypto";
import type { Stripe } from "stripe";
import { createReversals } from "./reversals.ts";
import {
  refuse,
  StripeRefusal,
  type BalanceTransaction,
  type Card,
  type Charge,
  type Customer,
  type Dispute,
  type Payment,
  type Refund,
  type Session,
  type StripeEvent,
} from "./objects.ts";

/** How a card answers when it is charged without its holder. */
export type CardBehaviour = "pays" | "declined" | "wants authentication";

/** Everything that the stand-in remembers, and the events that its changes cause. */
export function createStripeState(options: {
  readonly now: () => Date;
  readonly origin: () => string;
}) {
  const sessions = new Map<string, Session>();
  const payments = new Map<string, Payment>();
  const charges = new Map<string, Charge>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const customers = new Map<string, Customer>();
  const cards = new Map<string, Card>();
  const behaviours = new Map<string, CardBehaviour>();
  const balanceTransactions: BalanceTransaction[] = [];
  const events: StripeEvent[] = [];
  const listeners: ((event: StripeEvent) => void)[] = [];

  const seconds = (): number => Math.floor(options.now().getTime() / 1000);
  const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
  const newSessionId = (): string => newId("cs_test");

  function emit(type: Stripe.Event.Type, object: object, before?: object): void {
    const event: StripeEvent = {
      id: newId("evt"),
      object: "event",
      api_version: "2026-10-28.endive",
      created: seconds(),
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
      data: { object: structuredClone(object), ...(before && { previous_attributes: before }) },
    };
    events.push(event);
    for (const listener of listeners) listener(event);
  }

  /** Stripe ends a session by its own clock, at every look. */
  function session(id: string): Session {
    const found = sessions.get(id);
    if (found === undefined) throw missing("checkout.session", id);
    if (found.status === "open" && found.expires_at <= seconds()) {
      found.status = "expired";
      found.url = null;
      emit("checkout.session.expired", found);
    }
    return found;
  }

  function newPayment(
    order: Pick<Payment, "amount" | "currency" | "metadata" | "customer" | "payment_method">,
  ): Payment {
    const payment: Payment = {
      id: newId("pi"),
      object: "payment_intent",
      amount_received: 0,
      canceled_at: null,
      created: seconds(),
      livemode: false,
      status: order.payment_method === null ? "requires_payment_method" : "requires_confirmation",
      latest_charge: null,
      ...order,
    };
    payments.set(payment.id, payment);
    emit("payment_intent.created", payment);
    return payment;
  }

  /** @param source the charge, refund or dispute that moved the money */
  function move(
    type: BalanceTransaction["type"],
    category: string,
    { source, cents, currency }: { source: string; cents: number; currency: string },
  ): BalanceTransaction {
    // About what Stripe takes for a card; only the amount before it counts for the ledger.
    const fee = type === "charge" ? 25 + Math.round(cents * 0.015) : 0;
    const line: BalanceTransaction = {
      id: newId("txn"),
      object: "balance_transaction",
      amount: cents,
      created: seconds(),
      currency,
      fee,
      net: cents - fee,
      reporting_category: category,
      source,
      status: "available",
      type,
    };
    balanceTransactions.push(line);
    return line;
  }

  function succeed(payment: Payment, country?: string): void {
    const charge: Charge = {
      id: newId("ch"),
      object: "charge",
      amount: payment.amount,
      amount_refunded: 0,
      created: seconds(),
      currency: payment.currency,
      disputed: false,
      livemode: false,
      metadata: payment.metadata,
      paid: true,
      payment_intent: payment.id,
      payment_method_details: {
        type: "card",
        card: { country: country ?? cards.get(payment.payment_method ?? "")?.card.country ?? "DE" },
      },
      refunded: false,
    };
    charges.set(charge.id, charge);
    const { amount: cents, currency } = charge;
    move("charge", "charge", { source: charge.id, cents, currency });
    payment.status = "succeeded";
    payment.amount_received = payment.amount;
    payment.latest_charge = charge.id;
    emit("charge.succeeded", charge);
    emit("payment_intent.succeeded", payment);
  }

  function fail(payment: Payment): void {
    payment.status = "requires_payment_method";
    payment.payment_method = null;
    emit("payment_intent.payment_failed", payment);
  }

  const reversals = createReversals({ charges, refunds, disputes, seconds, newId, move, emit });

  const state = {
    sessions,
    payments,
    charges,
    refunds,
    disputes,
    balanceTransactions,
    customers,
    cards,
    events,
    session,
    seconds,
    onEvent: (listener: (event: StripeEvent) => void) => void listeners.push(listener),

    createSession(
      order: Pick<
        Session,
        | "amount_total"
        | "cancel_url"
        | "client_reference_id"
        | "currency"
        | "customer"
        | "expires_at"
        | "metadata"
        | "mode"
        | "success_url"
      > & { readonly payment_metadata: Record<string, string> },
    ): Session {
      const { payment_metadata: _, ...given } = order;
      const id = newSessionId();
      const created: Session = {
        id,
        object: "checkout.session",
        created: seconds(),
        livemode: false,
        payment_intent: null,
        payment_status: order.mode === "setup" ? "no_payment_required" : "unpaid",
        setup_intent: null,
        status: "open",
        url: `${options.origin()}/c/pay/${id}`,
        ...given,
      };
      sessions.set(id, created);
      paymentMetadata.set(id, order.payment_metadata);
      return created;
    },

    /** The payer sends the form of the hosted page. @returns the error that the page shows */
    pay(
      id: string,
      how: "card" | "bank debit" | "declined card",
      card: { readonly country?: string } = {},
    ): string | null {
      const open = session(id);
      if (open.status !== "open") return "This session is not open any more.";
      if (open.mode === "setup") throw refuse("A session of mode setup takes no payment");
      const before = payments.get(open.payment_intent ?? "");
      const payment =
        before ??
        newPayment({
          amount: open.amount_total ?? 0,
          currency: open.currency ?? "eur",
          metadata: paymentMetadata.get(id) ?? {},
          customer: open.customer,
          payment_method: null,
        });
      open.payment_intent = payment.id;
      if (how === "declined card") {
        fail(payment);
        return "Your card was declined.";
      }
      open.status = "complete";
      open.url = null;
      if (how === "bank debit") {
        payment.status = "processing";
        emit("payment_intent.processing", payment);
      } else {
        succeed(payment, card.country);
        open.payment_status = "paid";
      }
      emit("checkout.session.completed", open);
      return null;
    },

    /** The bank carries out a debit that is under way, or refuses it. */
    finishDebit(id: string, outcome: "succeeded" | "failed"): void {
      const under = session(id);
      const payment = payments.get(under.payment_intent ?? "");
      if (payment?.status !== "processing") throw new Error(`${id} has no debit under way`);
      if (outcome === "succeeded") {
        succeed(payment);
        under.payment_status = "paid";
        emit("checkout.session.async_payment_succeeded", under);
      } else {
        fail(payment);
        emit("checkout.session.async_payment_failed", under);
      }
    },

    /** The payer saves a card on the hosted page. */
    saveCard(
      id: string,
      card: Partial<Card["card"]> = {},
      behaviour: CardBehaviour = "pays",
    ): Card {
      const open = session(id);
      if (open.status !== "open") throw refuse(`${id} is not open`);
      const saved: Card = {
        id: newId("pm"),
        object: "payment_method",
        created: seconds(),
        customer: open.customer,
        livemode: false,
        metadata: {},
        type: "card",
        card: {
          brand: "visa",
          country: "DE",
          last4: "4242",
          exp_month: 12,
          exp_year: 2030,
          ...card,
        },
      };
      cards.set(saved.id, saved);
      behaviours.set(saved.id, behaviour);
      open.status = "complete";
      open.url = null;
      open.setup_intent = newId("seti");
      emit("payment_method.attached", saved);
      emit("checkout.session.completed", open);
      return saved;
    },

    expireSession(id: string): Session {
      const open = session(id);
      if (open.status !== "open") {
        throw refuse(`Only Checkout Sessions with a status in ["open"] can be expired.`);
      }
      open.status = "expired";
      open.url = null;
      emit("checkout.session.expired", open);
      return open;
    },

    setBehaviour: (cardId: string, behaviour: CardBehaviour) =>
      void behaviours.set(cardId, behaviour),

    newPayment,

    confirm(payment: Payment, isOffSession: boolean): Payment {
      if (payment.status !== "requires_confirmation") {
        throw refuse(
          `This PaymentIntent's status is ${payment.status}, so it cannot be confirmed.`,
          { code: "payment_intent_unexpected_state", payment_intent: payment },
        );
      }
      const card = cards.get(payment.payment_method ?? "");
      const behaviour = behaviours.get(card?.id ?? "") ?? "declined";
      if (card === undefined || card.customer !== payment.customer) {
        throw refuse("The card does not belong to the customer", {
          code: "payment_method_customer_mismatch",
        });
      }
      if (behaviour === "pays") succeed(payment);
      else {
        fail(payment);
        const isAsked = behaviour === "wants authentication" && isOffSession;
        throw new StripeRefusal(402, {
          type: "card_error",
          code: isAsked ? "authentication_required" : "card_declined",
          decline_code: isAsked ? "authentication_required" : "generic_decline",
          message: isAsked
            ? "Your card was declined. This transaction requires authentication."
            : "Your card was declined.",
          payment_intent: payment,
        });
      }
      return payment;
    },

    cancel(payment: Payment): Payment {
      if (payment.status === "succeeded" || payment.status === "canceled") {
        throw refuse(
          `You cannot cancel this PaymentIntent because it has a status of ${payment.status}.`,
          { code: "payment_intent_unexpected_state", payment_intent: payment },
        );
      }
      payment.status = "canceled";
      payment.canceled_at = seconds();
      emit("payment_intent.canceled", payment);
      return payment;
    },

    ...reversals,

    createCustomer(metadata: Record<string, string>): Customer {
      const made: Customer = {
        id: newId("cus"),
        object: "customer",
        created: seconds(),
        livemode: false,
        metadata,
      };
      customers.set(made.id, made);
      return made;
    },

    deleteCustomer(id: string) {
      if (!customers.delete(id)) throw missing("customer", id);
      for (const card of cards.values()) if (card.customer === id) card.customer = null;
      return { id, object: "customer", deleted: true } as const;
    },

    detach(card: Card): Card {
      if (card.customer === null) {
        throw refuse(
          "The payment method you provided is not attached to a customer so detachment is impossible.",
        );
      }
      const { customer } = card;
      card.customer = null;
      emit("payment_method.detached", card, { customer });
      return card;
    },

    /** The card's bank has replaced it. */
    renewCard(card: Card, to: Partial<Card["card"]>): void {
      card.card = { ...card.card, ...to };
      emit("payment_method.automatically_updated", card);
    },
  };
  const paymentMetadata = new Map<string, Record<string, string>>();
  return state;
}

export type StripeState = ReturnType<typeof createStripeState>;

export function missing(what: string, id: string): StripeRefusal {
  return new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${what}: '${id}'`,
    param: "id",
  });
}
