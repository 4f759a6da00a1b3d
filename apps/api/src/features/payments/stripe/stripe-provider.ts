import { Stripe } from "stripe";
import type { Clock } from "#src/platform/clock/clock.ts";
import {
  EventRefused,
  RefundRefused,
  type CheckoutOrder,
  type OrderedCheckout,
  type ProviderRecord,
  type RefundOrder,
  type WebhookDelivery,
} from "../payment-provider.ts";
import { idOf, orMissing } from "./stripe-client.ts";
import type { ReportingProvider } from "../provider-books.service.ts";
import { listStripeMovements } from "./stripe-movements.ts";
import {
  intentKey,
  readDispute,
  readPayment,
  readRefund,
  readSession,
  referenceOf,
  refundKey,
  type StripeIdentity,
} from "./stripe-records.ts";

export interface StripeProviderDeps {
  readonly stripe: Stripe;
  readonly clock: Clock;
  readonly webhookSecret: string;
  readonly livemode: boolean;
  /** Undefined until Stripe has named the account of the key. */
  readonly account: () => string | undefined;
  /** Without a slash at the end. */
  readonly publicOrigin: () => string;
}

/** A delivery that is older may be a replayed recording. */
const toleranceSeconds = 300;

/** Stripe takes at most 20 names. */
const listedTypes = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "payment_intent.succeeded",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "payment_method.automatically_updated",
  "payment_method.detached",
] as const;

/** Bounds one listing. */
const listedMax = 10_000;

/**
 * Stripe. Top-ups are Checkout Sessions (`cs_`), charges of saved cards are PaymentIntents (`pi_`);
 * both are read by the same functions.
 */
export function createStripeProvider(deps: StripeProviderDeps): ReportingProvider {
  const { stripe, account, livemode } = deps;
  const identity = (): StripeIdentity => {
    const id = account();
    if (id === undefined) throw new Error("Stripe has not named the account of the key yet");
    return { account: id, livemode };
  };
  return {
    name: "stripe",
    get account() {
      return identity().account;
    },
    async listEvents(since) {
      const events = await stripe.events
        .list({
          created: { gte: Math.floor(since.getTime() / 1000) },
          types: [...listedTypes],
          limit: 100,
        })
        .autoPagingToArray({ limit: listedMax });
      return events.map((event) => ({
        eventId: event.id,
        type: event.type,
        reference: referenceOf(event),
        body: Buffer.from(JSON.stringify(event)),
      }));
    },
    isReady: () => account() !== undefined,
    createCheckout: (order) => createSession(deps, order),
    readRecord: (checkout) => readRecord(deps, identity(), checkout),
    readEvent: async (delivery) => readEvent(deps, delivery),
    async intentOf(reference) {
      if (reference.startsWith("cs_")) {
        const session = await orMissing(stripe.checkout.sessions.retrieve(reference));
        return session?.mode === "payment" ? session.client_reference_id : null;
      }
      if (!reference.startsWith("pi_")) return null;
      const payment = await orMissing(stripe.paymentIntents.retrieve(reference));
      return payment?.metadata[intentKey] ?? null;
    },
    readStray: (reference) => readStray(stripe, identity(), reference),
    listMovements: (from, to) => listStripeMovements(stripe, from, to),
    readReversals: (checkout) => readReversals(stripe, checkout.reference),
    refund: (order) => refund(stripe, order),
    async closeCheckout({ reference }) {
      await stripe.checkout.sessions.expire(reference).catch((error: unknown) => {
        // It has been paid or has expired: its record says which.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      });
    },
  };
}

async function createSession({ stripe, publicOrigin }: StripeProviderDeps, order: CheckoutOrder) {
  const origin = publicOrigin();
  const metadata = { [intentKey]: order.intentId };
  const session = await stripe.checkout.sessions.create(
    {
      mode: "payment",
      client_reference_id: order.intentId,
      metadata,
      payment_intent_data: { metadata },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: order.currency.toLowerCase(),
            unit_amount: order.amountCents,
            product_data: { name: "Palisade balance" },
          },
        },
      ],
      // Otherwise the payer might pay another amount in another currency.
      adaptive_pricing: { enabled: false },
      expires_at: Math.floor(order.expiresAt.getTime() / 1000),
      success_url: origin + order.successPath,
      cancel_url: origin + order.cancelPath,
    },
    { idempotencyKey: `checkout:${order.intentId}` },
  );
  if (session.url === null) throw new Error(`${session.id} has no page`);
  return { reference: session.id, url: session.url };
}

async function readRecord(
  { stripe, clock }: StripeProviderDeps,
  identity: StripeIdentity,
  { reference, expiresAt }: OrderedCheckout,
): Promise<ProviderRecord | null> {
  if (!reference.startsWith("pi_")) {
    const options = { expand: ["payment_intent.latest_charge"] };
    const session = await orMissing(stripe.checkout.sessions.retrieve(reference, options));
    return session && readSession(session, identity, clock.now() >= expiresAt);
  }
  const options = { expand: ["latest_charge"] };
  const payment = await orMissing(stripe.paymentIntents.retrieve(reference, options));
  if (payment === null) return null;
  const record = readPayment(payment, identity);
  if (record.status !== "open" || clock.now() < expiresAt) return record;
  // A payment has no end of its own, so it is cancelled here. One that is confirmed at the same
  // moment refuses that, and its record is read again later.
  return readPayment(await stripe.paymentIntents.cancel(reference), identity);
}

async function readStray(stripe: Stripe, identity: StripeIdentity, reference: string) {
  if (!/^(cs|pi)_/.test(reference)) return null;
  const id = await paymentOf(stripe, reference);
  const payment = id && (await orMissing(stripe.paymentIntents.retrieve(id)));
  if (!payment || payment.status !== "succeeded") return null;
  return { reference: payment.id, record: readPayment(payment, identity) };
}

function readEvent({ stripe, webhookSecret, livemode }: StripeProviderDeps, sent: WebhookDelivery) {
  const event = verify(stripe, webhookSecret, sent);
  if (event.livemode !== livemode) throw new EventRefused("it is of the other mode, live or test");
  return { eventId: event.id, type: event.type, reference: referenceOf(event) };
}

function verify(stripe: Stripe, secret: string, { body, header, now }: WebhookDelivery) {
  try {
    const signature = header("stripe-signature") ?? "";
    return stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    );
  } catch (error) {
    // Signed, but not JSON: the SDK's own parser throws.
    throw new EventRefused(error instanceof Error ? error.message : "unreadable");
  }
}

async function readReversals(stripe: Stripe, reference: string) {
  const payment = await paymentOf(stripe, reference);
  if (payment === null) return [];
  const page = { payment_intent: payment, limit: 100 };
  const refunds = await stripe.refunds.list(page).autoPagingToArray({ limit: 1_000 });
  const disputes = await stripe.disputes.list(page).autoPagingToArray({ limit: 1_000 });
  return [...refunds.map(readRefund), ...disputes.flatMap((each) => readDispute(each) ?? [])];
}

async function refund(stripe: Stripe, order: RefundOrder): Promise<void> {
  const payment = await paymentOf(stripe, order.reference);
  if (payment === null) throw new RefundRefused(`Stripe knows no payment of ${order.reference}`);
  // Stripe forgets an idempotency key after a day; its list of refunds forgets nothing.
  const refunds = await stripe.refunds
    .list({ payment_intent: payment, limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  if (refunds.some(({ metadata }) => metadata?.[refundKey] === order.refundId)) return;
  await stripe.refunds
    .create(
      {
        payment_intent: payment,
        amount: order.amountCents,
        metadata: { [refundKey]: order.refundId },
      },
      { idempotencyKey: `refund:${order.refundId}` },
    )
    .catch((error: unknown) => {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      throw new RefundRefused(error.code ?? error.message, { cause: error });
    });
}

async function paymentOf(stripe: Stripe, reference: string): Promise<string | null> {
  if (reference.startsWith("pi_")) return reference;
  const session = await orMissing(stripe.checkout.sessions.retrieve(reference));
  return session && idOf(session.payment_intent);
}
