import type { FastifyInstance } from "fastify";
import { createPaymentProviders } from "#src/features/payments/payment-provider.ts";
import type { PaymentProvider } from "#src/features/payments/payment-provider.ts";
import { createPaymentsFeature } from "#src/features/payments/payments.feature.ts";
import { createPaypal } from "#src/features/payments/paypal/paypal.ts";
import {
  sandboxDeliveryJob,
  sandboxRetentionJob,
} from "#src/features/payments/sandbox/sandbox.jobs.ts";
import { mountSandboxRoutes } from "#src/features/payments/sandbox/sandbox.routes.ts";
import { createSandboxProvider } from "#src/features/payments/sandbox/sandbox-provider.ts";
import { mountPromoCodeRoutes } from "#src/features/promo-codes/promo-codes.routes.ts";
import { createDb } from "#src/platform/database/db.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { listeningOrigin } from "#src/platform/http/listening-origin.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";

type Plugin = (app: FastifyInstance) => Promise<void>;

export interface PaymentsPart extends Feature {
  readonly plugins: readonly Plugin[];
}

interface SandboxPart {
  readonly provider: PaymentProvider;
  readonly jobs: readonly JobDefinition<object>[];
  readonly plugins: readonly Plugin[];
  close(): Promise<void>;
}

/** Top-ups and promo codes. The sandbox is part of them in development only. */
export function composePayments(platform: Platform, consoleOrigin: () => string): PaymentsPart {
  const sandbox = platform.config.development ? composeSandbox(platform) : undefined;
  const paypal = createPaypal(platform, consoleOrigin);
  const providers = createPaymentProviders(
    [sandbox?.provider, paypal?.provider].filter((each) => each !== undefined),
  );
  const payments = createPaymentsFeature(platform, providers);
  return {
    mountRoutes(mount) {
      mountPromoCodeRoutes(mount, platform.db);
      payments.mountRoutes(mount);
    },
    jobs: [...(payments.jobs ?? []), ...(sandbox?.jobs ?? [])],
    plugins: sandbox?.plugins ?? [],
    start: async () => paypal?.start(),
    stop: async () => sandbox?.close(),
  };
}

function composeSandbox({ config, clock, db, jobs, log }: Platform): SandboxPart {
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
    jobs: [sandboxDeliveryJob({ clock, webhookKey, origin }), sandboxRetentionJob(db, clock)],
    plugins: [plugin, (app) => mountSandboxRoutes(app, { db, clock, jobs, formKey })],
    close: () => ownDb.destroy(),
  };
}
