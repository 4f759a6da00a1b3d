import type { FastifyInstance } from "fastify";
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
import { createDb } from "#src/platform/database/db.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { listeningOrigin } from "#src/platform/http/listening-origin.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

type Plugin = (app: FastifyInstance) => Promise<void>;

export interface PaymentsPart extends Feature {
  readonly plugins: readonly Plugin[];
  readonly chargeSavedCard: ChargeSavedCard;
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
 * Top-ups, saved cards and promo codes. Stripe and PayPal are part of them where their keys are set,
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
  const payments = createPaymentsFeature(platform, providers, {
    cards,
    defaultCard: createDefaultCard(cards),
    followReference: (provider, reference) => followReference(cardDeps, provider, reference),
  });
  const paymentMethods = createPaymentMethodsFeature(cardDeps);
  return {
    chargeSavedCard: payments.chargeSavedCard,
    mountRoutes(mount) {
      mountPromoCodeRoutes(mount, platform.db);
      payments.mountRoutes(mount);
      paymentMethods.mountRoutes(mount);
    },
    jobs: [
      ...(payments.jobs ?? []),
      ...(paymentMethods.jobs ?? []),
      ...parts.flatMap(({ jobs = [] }) => jobs),
    ],
    mailTemplates: paymentMethods.mailTemplates ?? {},
    plugins: parts.flatMap(({ plugins = [] }) => plugins),
    async start() {
      await stripe?.start?.();
      await paypal?.start();
    },
    async stop() {
      for (const part of parts) await part.stop();
    },
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
