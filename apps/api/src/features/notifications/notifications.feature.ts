import { Counter, type Registry } from "prom-client";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { selectNodeAddresses } from "#src/features/liveness/liveness.service.ts";
import { createOutbound } from "#src/platform/http/outbound.ts";
import { readCertificateCondition } from "#src/platform/http/tls/certificate-condition.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { watchBackends } from "./backend-watch.service.ts";
import { watchCertificate } from "./certificate-watch.service.ts";
import { watchEdges } from "./edge-watch.service.ts";
import { deleteOld } from "./notification-events.repository.ts";
import { notificationMails } from "./notification-mails.ts";
import { createNotificationWorker } from "./notification-worker.ts";
import { mountNotificationRoutes } from "./notifications.routes.ts";
import { staffMails } from "./staff-mails.ts";
import { applyStaffWebhook } from "./staff-webhook.service.ts";

const daysKept = 30;
/** From the first to the last byte of a webhook's request and its answer. */
export const webhookTimeoutMs = 10_000;

/**
 * Tells owners by mail and webhooks what happens to their shields, and staff what happens to edges and the
 * certificate.
 */
export function createNotificationsFeature(
  platform: Platform,
  deps: { readonly writes: ShieldWrites; readonly consoleOrigin: () => string },
): Feature {
  const { config, db, clock, bus, log, mailer, metrics } = platform;
  const { writes, consoleOrigin } = deps;
  const sealer = createSealer(deriveKeys(config, "webhooks"));
  const allowLoopback = config.development;
  const outbound = createOutbound({
    timeoutMs: webhookTimeoutMs,
    allowLoopback,
    refusedAddresses: () => selectNodeAddresses(db),
    ownOrigins: () => [consoleOrigin()],
  });
  const worker = createNotificationWorker({
    db,
    clock,
    bus,
    log,
    mailer,
    outbound,
    sealer,
    consoleOrigin,
    random: Math.random,
    count: countDeliveries(metrics),
  });
  const staffEvents = { mailer, clock, consoleOrigin };
  const { tls } = config;
  const certificateLook =
    tls && (() => readCertificateCondition(tls, { db, host: new URL(consoleOrigin()).hostname }));
  const jobs: readonly JobDefinition<object>[] = [
    everyMinute("notifications.send", () => worker.run()),
    everyMinute("notifications.watch-backends", () => watchBackends({ db })),
    everyMinute("notifications.watch-edges", () => watchEdges({ db, ...staffEvents })),
    everyMinute("notifications.watch-certificate", () =>
      watchCertificate({ db, ...staffEvents, look: certificateLook }),
    ),
    {
      name: "notifications.clean",
      retryLimit: 3,
      retryDelaySeconds: 600,
      cron: "17 4 * * *",
      run: () => deleteOld(db, new Date(clock.now().getTime() - daysKept * 86_400_000)),
    },
  ];
  return {
    mountRoutes: (mount) =>
      mountNotificationRoutes(mount, { db, writes, sealer, clock, consoleOrigin, allowLoopback }),
    jobs,
    mailTemplates: { ...notificationMails, ...staffMails },
    async start() {
      await applyStaffWebhook({ db, clock, sealer, consoleOrigin }, config.staffWebhook);
      await worker.start();
    },
    async stop() {
      await worker.stop();
      await outbound.close();
    },
  };
}

function everyMinute(name: string, run: () => Promise<void>): JobDefinition<object> {
  return { name, retryLimit: 0, retryDelaySeconds: 60, cron: "* * * * *", run };
}

function countDeliveries(registry: Registry) {
  const counter = new Counter({
    name: "palisade_webhook_tries_total",
    help: "Requests to webhooks by what became of them: retried ones come again, failed ones do not",
    labelNames: ["result"],
    registers: [registry],
  });
  // Present from the start: a rate of what has not happened yet is 0, not missing.
  for (const result of ["delivered", "retried", "failed"] as const) counter.labels(result).inc(0);
  return (result: "delivered" | "retried" | "failed") => counter.labels(result).inc();
}
