import type { FastifyInstance } from "fastify";
import { createDocumentsFeature } from "#src/features/documents/documents.feature.ts";
import { createPaymentMethodsFeature } from "#src/features/payment-methods/payment-methods.feature.ts";
import {
  createDefaultCard,
  followReference,
} from "#src/features/payment-methods/payment-methods.service.ts";
import type { ChargeSavedCard } from "#src/features/payments/card-charges.service.ts";
import type { CardProvider } from "#src/features/payments/card-provider.service.ts";
import { createPaymentProviders } from "#src/features/payments/payment-provider.ts";
import type { PaymentProvider } from "#src/features/payments/payment-provider.ts";
import { createPaymentsFeature } from "#src/features/payments/payments.feature.ts";
import { createPaypal } from "#src/features/payments/paypal/paypal.ts";
import { createSandboxCards } from "#src/features/payments/sandbox/sandbox-cards.ts";
import {
  sandboxDeliveryJob,
  sandboxRetentionJob,
} from "#src/features/payments/sandbox/sandbox.jobs.ts";
import { mountSandboxRoutes } from "#src/features/payments/sandbox/sandbox.routes.ts";
import { createSandboxProvider } from "#src/features/payments/sandbox/sandbox-provider.ts";
import { createStripeAccount } from "#src/features/payments/stripe/stripe-account.ts";
import { createStripeCards } from "#src/features/payments/stripe/stripe-cards.ts";
import { createStripeClient } from "#src/features/payments/stripe/stripe-client.ts";
import { createStripeProvider } from "#src/features/payments/stripe/stripe-provider.ts";
import { mountPromoCodeRoutes } from "#src/features/promo-codes/promo-codes.routes.ts";
import { mountStaffPromoCodeRoutes } from "#src/features/promo-codes/staff-promo-codes.routes.ts";
import { mountStaffBookRoutes } from "#src/features/staff-books/staff-books.routes.ts";
import { createVatFeature } from "#src/features/vat/vat.feature.ts";
import type { SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import { createDb } from "#src/platform/database/db.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { listeningOrigin } from "#src/platform/http/listening-origin.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

type Plugin = (app: FastifyInstance) => Promise<void>;

export interface PaymentsPart extends Feature {
  readonly plugins: readonly Plugin[];
  readonly chargeSavedCard: ChargeSavedCard;
  /** The same cards as renewals use them. */
  readonly savedCards: SavedCards;
}

interface ProviderPart {
  readonly provider: PaymentProvider;
  readonly cards: CardProvider;
  readonly jobs?: readonly JobDefinition<object>[];
  readonly plugins?: readonly Plugin[];
  start?(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Top-ups, saved cards, promo codes and documents. Stripe and PayPal are part of them where their keys are set,
 * the sandbox in development only.
 *
 * @param consoleOrigin without a slash at the end
 */
export function composePayments(platform: Platform, consoleOrigin: () => string): PaymentsPart {
  const stripe = composeStripe(platform, consoleOrigin);
  const sandbox = platform.config.development ? composeSandbox(platform) : undefined;
  const parts = [stripe, sandbox].filter((part) => part !== undefined);
  const paypal = createPaypal(platform, consoleOrigin);
  const providers = createPaymentProviders(
    [...parts, paypal].flatMap((part) => part?.provider ?? []),
  );
  const cards = stripe?.cards ?? sandbox?.cards;
  const cardDeps = { ...platform, cards };
  const defaultCard = createDefaultCard(cards);
  const payments = createPaymentsFeature(platform, providers, {
    cards,
    defaultCard,
    followReference: (provider, reference) => followReference(cardDeps, provider, reference),
  });
  const paymentMethods = createPaymentMethodsFeature(cardDeps);
  const vat = createVatFeature(platform);
  const documents = createDocumentsFeature(platform);
  return {
    chargeSavedCard: payments.chargeSavedCard,
    savedCards: {
      hasSavedCard: async (userId) => (await defaultCard(platform.db, userId)) !== undefined,
      chargeSavedCard: chargesForRenewals(payments.chargeSavedCard),
    },
    mountRoutes(mount) {
      mountPromoCodeRoutes(mount, platform.db);
      mountStaffPromoCodeRoutes(mount, platform.db);
      const { db, config } = platform;
      mountStaffBookRoutes(mount, { db, fourEyesCents: config.fourEyesCents });
      payments.mountRoutes(mount);
      paymentMethods.mountRoutes(mount);
      documents.mountRoutes(mount);
    },
    jobs: [
      ...[vat, documents, payments, paymentMethods].flatMap(({ jobs = [] }) => jobs),
      ...parts.flatMap(({ jobs = [] }) => jobs),
    ],
    mailTemplates: paymentMethods.mailTemplates ?? {},
    plugins: parts.flatMap(({ plugins = [] }) => plugins),
    async start() {
      // Documents name the seller, so it is stored first.
      await vat.start?.();
      await documents.start?.();
      await stripe?.start?.();
      await paypal?.start();
    },
    async stop() {
      await documents.stop?.();
      for (const part of parts) await part.stop();
    },
  };
}

function chargesForRenewals(chargeSavedCard: ChargeSavedCard): SavedCards["chargeSavedCard"] {
  return async (userId, cents, businessKey) => {
    try {
      const result = await chargeSavedCard(userId, cents, businessKey);
      const hasNone = result.outcome === "declined" && result.reason === "no card";
      return hasNone ? "none" : result.outcome;
    } catch (error) {
      if (error instanceof DomainError && error.code === "unavailable") return "unknown";
      throw error;
    }
  };
}

function composeStripe(
  { config, clock, log }: Platform,
  publicOrigin: () => string,
): ProviderPart | undefined {
  if (config.stripe === undefined) return undefined;
  const { webhookSecret, isTestKey } = config.stripe;
  const stripe = createStripeClient(config.stripe);
  const account = createStripeAccount(stripe, log);
  const deps = {
    stripe,
    clock,
    webhookSecret,
    livemode: !isTestKey,
    account: () => account.id(),
    publicOrigin,
  };
  return {
    provider: createStripeProvider(deps),
    cards: createStripeCards(deps),
    start: () => account.start(),
    stop: async () => account.stop(),
  };
}

function composeSandbox({ config, clock, db, jobs, log }: Platform): ProviderPart {
  const webhookKey = deriveKey(config.secret, "sandbox-webhooks");
  const formKey = deriveKey(config.secret, "sandbox-forms");
  const ownDb = createDb({
    url: config.databaseUrl,
    connectionsMax: 2,
    statementTimeoutMs: 10_000,
    onConnectionError: (error) => log.warn({ err: error }, "Sandbox: a connection was lost"),
  });
  const { plugin, origin } = listeningOrigin();
  return {
    provider: createSandboxProvider({ db: ownDb, clock, webhookKey }),
    cards: createSandboxCards({ db: ownDb, clock }),
    jobs: [sandboxDeliveryJob({ clock, webhookKey, origin }), sandboxRetentionJob(db, clock)],
    plugins: [plugin, (app) => mountSandboxRoutes(app, { db, clock, jobs, formKey })],
    stop: () => ownDb.destroy(),
  };
}
