import type { FastifyInstance } from "fastify";
import { createDocumentsFeature } from "#src/features/documents/documents.feature.ts";
import { createPaymentProviders } from "#src/features/payments/payment-provider.ts";
import type { PaymentProvider } from "#src/features/payments/payment-provider.ts";
import { createPaymentsFeature } from "#src/features/payments/payments.feature.ts";
import {
  sandboxDeliveryJob,
  sandboxRetentionJob,
} from "#src/features/payments/sandbox/sandbox.jobs.ts";
import { mountSandboxRoutes } from "#src/features/payments/sandbox/sandbox.routes.ts";
import { createSandboxProvider } from "#src/features/payments/sandbox/sandbox-provider.ts";
import { mountPromoCodeRoutes } from "#src/features/promo-codes/promo-codes.routes.ts";
import { createVatFeature } from "#src/features/vat/vat.feature.ts";
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

/** Top-ups, promo codes and documents. The sandbox is part of them in development only. */
export function composePayments(platform: Platform): PaymentsPart {
  const sandbox = platform.config.development ? composeSandbox(platform) : undefined;
  const providers = createPaymentProviders(sandbox === undefined ? [] : [sandbox.provider]);
  const payments = createPaymentsFeature(platform, providers);
  const vat = createVatFeature(platform);
  const documents = createDocumentsFeature(platform);
  return {
    mountRoutes(mount) {
      mountPromoCodeRoutes(mount, platform.db);
      payments.mountRoutes(mount);
      documents.mountRoutes(mount);
    },
    jobs: [vat, documents, payments].flatMap(({ jobs = [] }) => jobs).concat(sandbox?.jobs ?? []),
    plugins: sandbox?.plugins ?? [],
    async start() {
      // Documents name the seller, so it is stored first.
      await vat.start?.();
      await documents.start?.();
    },
    async stop() {
      await documents.stop?.();
      await sandbox?.close();
    },
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
