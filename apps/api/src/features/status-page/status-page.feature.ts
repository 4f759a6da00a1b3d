import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { selectNodeAddresses } from "#src/features/liveness/liveness.service.ts";
import { createOutbound } from "#src/platform/http/outbound.ts";
import { limitsKey } from "#src/platform/http/pipeline/limits.ts";
import { createWindowCounter } from "#src/platform/http/pipeline/window-counter.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { announce, deliver } from "./announcements.service.ts";
import { advanceMaintenances, announceJob } from "./incidents.service.ts";
import { mountStaffStatusRoutes } from "./staff-status.routes.ts";
import { statusMails } from "./status-mails.ts";
import { mountStatusSite } from "./status-site.routes.ts";
import { createStatusWorker } from "./status-worker.ts";
import { deleteUnconfirmedBefore } from "./subscribers.repository.ts";
import { mountSubscriptionForms } from "./subscriptions.routes.ts";
import { webhookJob } from "./subscriptions.service.ts";

export interface StatusPageFeature extends Feature {
  readonly plugin: (app: FastifyInstance) => Promise<void>;
}

const webhookTimeoutMs = 10_000;
const unconfirmedMs = 2 * 86_400_000;
const announcement = z.object({ updateId: z.uuid() });
const delivery = z.object({ subscriberId: z.uuid(), updateId: z.uuid().nullable() });

/** The public status page, its subscribers, and the incidents that staff write for it. */
export function createStatusPageFeature(
  platform: Platform,
  consoleOrigin: () => string,
): StatusPageFeature {
  const { config, db, clock, bus, jobs, mailer, log } = platform;
  const outbound = createOutbound({
    timeoutMs: webhookTimeoutMs,
    allowLoopback: config.development,
    refusedAddresses: () => selectNodeAddresses(db),
    ownOrigins: () => [consoleOrigin()],
  });
  const keys = deriveKeys(config, "status-subscriptions");
  const sealer = createSealer(keys);
  const subscriptions = { db, jobs, mailer, sealer, keys, consoleOrigin };
  const announcing = { ...subscriptions, clock, outbound, log };
  const worker = createStatusWorker({ db, clock, bus, log, home: config.home });
  const definitions: readonly JobDefinition<object>[] = [
    {
      name: announceJob,
      retryLimit: 20,
      retryDelaySeconds: 5,
      run: (data) => announce(announcing, announcement.parse(data).updateId),
    },
    {
      name: webhookJob,
      retryLimit: 8,
      retryDelaySeconds: 30,
      concurrency: 4,
      run: (data) => deliver(announcing, delivery.parse(data)),
    },
    {
      name: "status.advance-maintenances",
      retryLimit: 0,
      retryDelaySeconds: 60,
      cron: "* * * * *",
      run: () => advanceMaintenances({ db, bus, jobs }, clock.now()),
    },
    {
      name: "status.clean-subscribers",
      retryLimit: 3,
      retryDelaySeconds: 600,
      cron: "41 * * * *",
      run: () => deleteUnconfirmedBefore(db, new Date(clock.now().getTime() - unconfirmedMs)),
    },
  ];
  return {
    mountRoutes: (mount) => mountStaffStatusRoutes(mount, { db, bus, jobs }),
    jobs: definitions,
    mailTemplates: statusMails,
    async plugin(app) {
      const { consoleFolder } = config;
      const limits = {
        db,
        windows: createWindowCounter(),
        limitsKey: limitsKey(config.secret),
      };
      await mountStatusSite(app, {
        current: worker.current,
        clock,
        origin: consoleOrigin,
        consoleFolder,
        canSubscribe: true,
      });
      await mountSubscriptionForms(app, {
        ...subscriptions,
        clock,
        limits,
        allowLoopback: config.development,
        consoleFolder,
      });
    },
    start: () => worker.start(),
    async stop() {
      await worker.stop();
      await outbound.close();
    },
  };
}
