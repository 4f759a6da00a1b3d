import { Stripe } from "stripe";
import type {
  CardProvider,
  ChargeAnswer,
  ProviderCard,
  SetupRecord,
} from "../card-provider.service.ts";
import { idOf, orMissing } from "./stripe-client.ts";
import { intentKey } from "./stripe-records.ts";

export interface StripeCardsDeps {
  readonly stripe: Stripe;
  /** Undefined until Stripe has named the account of the key. */
  readonly account: () => string | undefined;
  /** Without a slash at the end. */
  readonly publicOrigin: () => string;
}

const userKey = "user_id";

/** Saved cards at Stripe: its hosted page takes the number, this installation never sees it. */
export function createStripeCards(deps: StripeCardsDeps): CardProvider {
  const { stripe, account, publicOrigin } = deps;
  return {
    name: "stripe",
    get account() {
      const id = account();
      if (id === undefined) throw new Error("Stripe has not named the account of the key yet");
      return id;
    },
    isReady: () => account() !== undefined,
    async createCustomer(userId) {
      const { id } = await stripe.customers.create(
        { metadata: { [userKey]: userId } },
        { idempotencyKey: `customer:${userId}` },
      );
      return id;
    },
    async createSetup({ setupId, customerId, successPath, cancelPath }) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: "setup",
          currency: "eur",
          customer: customerId,
          client_reference_id: setupId,
          allowed_payment_method_types: ["card"],
          success_url: publicOrigin() + successPath,
          cancel_url: publicOrigin() + cancelPath,
        },
        { idempotencyKey: `setup:${setupId}` },
      );
      if (session.url === null) throw new Error(`${session.id} has no page`);
      return { reference: session.id, url: session.url };
    },
    async readSetup(reference) {
      const session = await orMissing(stripe.checkout.sessions.retrieve(reference));
      return session && readSetup(session);
    },
    async listCards(customerId) {
      const methods = await stripe.paymentMethods
        .list({ customer: customerId, type: "card", limit: 100 })
        .autoPagingToArray({ limit: 1_000 });
      return methods.flatMap((method) => readCard(method) ?? []);
    },
    async removeCard(paymentMethod) {
      await stripe.paymentMethods.detach(paymentMethod).catch((error: unknown) => {
        // It is detached already, or gone with its customer.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      });
    },
    async removeCustomer(customerId) {
      await orMissing(stripe.customers.del(customerId));
    },
    prepareCharge: (charge) => prepare(stripe, charge),
    confirmCharge: ({ intentId, reference }) => confirm(stripe, intentId, reference),
    async cancelCharge(reference) {
      await stripe.paymentIntents.cancel(reference).catch((error: unknown) => {
        // It has succeeded or was cancelled before: its record says which.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      });
    },
  };
}

async function prepare(
  stripe: Stripe,
  { intentId, amountCents, card }: Parameters<CardProvider["prepareCharge"]>[0],
): Promise<string | null> {
  try {
    const { id } = await stripe.paymentIntents.create(
      {
        amount: amountCents,
        currency: "eur",
        customer: card.customerId,
        payment_method: card.paymentMethod,
        allowed_payment_method_types: ["card"],
        metadata: { [intentKey]: intentId },
      },
      { idempotencyKey: `charge:${intentId}` },
    );
    return id;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
    throw error;
  }
}

async function confirm(stripe: Stripe, intentId: string, reference: string): Promise<ChargeAnswer> {
  try {
    const { status } = await stripe.paymentIntents.confirm(
      reference,
      { off_session: true },
      { idempotencyKey: `confirm:${intentId}` },
    );
    return status === "requires_action" ? "authentication" : "carried out";
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) {
      return error.code === "authentication_required" ? "authentication" : "declined";
    }
    // The payment is in another state by now, or its card is gone.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return afterRefusal(error);
    throw error;
  }
}

function afterRefusal({ code }: { readonly code?: string | undefined }): ChargeAnswer {
  return code === "payment_intent_unexpected_state" ? "carried out" : "declined";
}

function readSetup(session: Stripe.Checkout.Session): SetupRecord | null {
  const customerId = idOf(session.customer);
  if (session.mode !== "setup" || customerId === null) return null;
  const ended = session.status === "expired" ? "ended" : "open";
  return {
    status: session.status === "complete" ? "completed" : ended,
    setupId: session.client_reference_id ?? "",
    customerId,
  };
}

function readCard({ id, card }: Stripe.PaymentMethod): ProviderCard | null {
  if (card === undefined) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card;
  return { paymentMethod: id, brand, last4, expMonth, expYear };
}
