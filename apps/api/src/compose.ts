import type { FastifyInstance } from "fastify";
import { pino, type Logger } from "pino";
import { Registry } from "prom-client";
import { composeAccounts } from "#src/compose-accounts.ts";
import { composeMail } from "#src/compose-mail.ts";
import { composePayments } from "#src/compose-payments.ts";
import { composeShields } from "#src/compose-shields.ts";
import type { ApiConfig } from "#src/config.ts";
import type { ChargeSavedCard } from "#src/features/payments/card-charges.service.ts";
import { createLiveChannelFeature } from "#src/features/live-channel/live-channel.feature.ts";
import {
  createTicketMailFeature,
  replyAddressesOf,
  type TicketMailFeature,
} from "#src/features/ticket-mail/ticket-mail.feature.ts";
import { mailTicketEvents } from "#src/features/ticket-mail/ticket-mail-bus.ts";
import { createTicketMails } from "#src/features/ticket-mail/ticket-mails.service.ts";
import { openAuditLog } from "#src/features/audit/audit.service.ts";
import { createStaffUsersFeature } from "#src/features/staff-users/staff-users.feature.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import { systemClock } from "#src/platform/clock/clock.ts";
import { createDevelopmentClock } from "#src/platform/clock/development-clock.ts";
import { createDb, type Db } from "#src/platform/database/db.ts";
import { createPgBus } from "#src/platform/database/pg-bus.ts";
import { requireHarmlessRole, waitForDatabase } from "#src/platform/database/ready.ts";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createFailpoint } from "#src/platform/development/failpoints.ts";
import { createStatusPageFeature } from "#src/features/status-page/status-page.feature.ts";
import type { SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import { createApp } from "#src/platform/http/app.ts";
import { addressChainKeys } from "#src/platform/http/pipeline/audit-log.ts";
import { limitsKey } from "#src/platform/http/pipeline/limits.ts";
import { pipelineRetentionJob } from "#src/platform/http/pipeline/retention.job.ts";
import { eventLoopDelayMsMax } from "#src/platform/http/ops/load-shedding.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { createJobRunner } from "#src/platform/jobs/pg-boss-jobs.ts";
import { createMailer, createMailSealer } from "#src/platform/mail/outbox.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { publicOrigin } from "#src/platform/http/listening-origin.ts";
import { createSealer } from "#src/platform/security/sealing.ts";
import { openTls, type Tls } from "#src/platform/http/tls/tls.ts";
import { appPlugins } from "#src/app-plugins.ts";

export interface Composition {
  readonly app: FastifyInstance;
  readonly platform: Platform;
  /** Undefined: the api itself does not encrypt. */
  readonly tls: Tls | undefined;
  /** Without a slash at the end. */
  readonly publicOrigin: () => string;
  readonly chargeSavedCard: ChargeSavedCard;
  /** The jobs that this process works. */
  readonly jobs: readonly JobDefinition<object>[];
  /** Opens the port for answers to tickets, if there is to be one. */
  readonly listenForMails: TicketMailFeature["listen"];
  /** Ends in the reverse order of the start. */
  close(): Promise<void>;
}

export interface CompositionOptions {
  readonly config: ApiConfig;
  readonly log?: Logger;
  /** Instead of the system's; in development, instead of the movable one. */
  readonly clock?: Clock;
  /** The current address of zone DNS; by default the setting. */
  readonly zoneServer?: () => string | undefined;
  /** The port players connect to at the edges, as it is known now; by default the setting. */
  readonly javaPort?: () => number;
  /** The cards that renewals charge, instead of those of the payment provider. */
  readonly cards?: SavedCards;
  /** Instead of the one that sheds load. */
  readonly eventLoopDelayMsMax?: number;
}

/** Builds the whole api, connected and working jobs, but not listening yet. */
export async function compose(options: CompositionOptions): Promise<Composition> {
  const { config } = options;
  const log = options.log ?? createLogger(config);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) {
      await closer().catch((error: unknown) => log.warn({ err: error }, "A part did not end well"));
    }
  };
  try {
    const db = openDatabase(config, log);
    closers.push(() => db.destroy());
    await waitForDatabase(db);
    await requireHarmlessRole(db);

    const bus = createPgBus({ url: config.databaseUrl, log });
    closers.push(() => bus.stop());
    await bus.start();

    const developmentClock = createDevelopmentClock(db, bus, log);
    if (config.development) await developmentClock.start();
    const clock = options.clock ?? (config.development ? developmentClock : systemClock);

    const jobs = createJobRunner({ url: config.databaseUrl, bus, log });
    const mailer = createMailer(jobs, createMailSealer(config));
    const ticketMails = createTicketMails({ mailer, addresses: replyAddressesOf(config) });
    const platform: Platform = {
      config,
      db,
      clock,
      bus: mailTicketEvents(bus, ticketMails),
      jobs,
      audit: openAuditLog(db, config),
      mailer,
      failpoint: createFailpoint(config.failpoints),
      metrics: new Registry(),
      log,
    };

    const network = {
      zoneServer: options.zoneServer ?? (() => config.zoneServer),
      javaPort: options.javaPort ?? (() => config.javaPort),
    };
    const publicAddress = publicOrigin(config);
    const consoleOrigin = publicAddress.origin;
    const payments = composePayments(platform, consoleOrigin);
    const cards = options.cards ?? payments.savedCards;
    const shields = composeShields(platform, network, consoleOrigin, cards);
    const accounts = await composeAccounts(platform, {
      supportPlanOf: (userId, locale) => shields.supportPlanOf(db, userId, locale),
      consoleOrigin,
    });
    const liveChannel = createLiveChannelFeature(platform, consoleOrigin);
    const statusPage = createStatusPageFeature(platform, consoleOrigin);
    const ticketMail = createTicketMailFeature(platform, {
      attachments: shields.attachments,
      mails: ticketMails,
    });
    const features: readonly Feature[] = [
      ...accounts.features,
      shields,
      payments,
      liveChannel,
      createStaffUsersFeature(platform, { notices: accounts.notices, writes: shields.writes }),
      statusPage,
      ticketMail,
    ];

    const mail = composeMail(platform, features, consoleOrigin);
    const definitions = [
      mail.job,
      pipelineRetentionJob(db, clock),
      ...features.flatMap((feature) => feature.jobs ?? []),
    ];
    await jobs.start(definitions);
    closers.push(() => jobs.stop());
    for (const feature of features) {
      await feature.start?.();
      closers.push(async () => feature.stop?.());
    }

    const tls =
      config.tls === undefined
        ? undefined
        : await openTls(config.tls, { db, secrets: config, clock, metrics: platform.metrics, log });
    closers.push(async () => tls?.stop());
    const app = await createApp({
      certificate: tls?.first,
      db,
      clock,
      audit: platform.audit,
      addressChainKey: addressChainKeys(config)[0],
      limitsKey: limitsKey(config.secret),
      log,
      trustedProxies: config.trustedProxies,
      secureCookies: !config.development,
      answerSealer: createSealer(deriveKeys(config, "idempotent-answers")),
      credentials: {
        session: accounts.sessionAccess,
        apiKey: accounts.apiKeyAccess,
        view: accounts.viewAccess,
        edge: shields.edgeAccess,
      },
      shieldAccess: shields.shieldAccess,
      knownCallers: accounts.knownCallers,
      plugins: [
        ...appPlugins({
          config,
          db,
          bus,
          log,
          metrics: platform.metrics,
          clock,
          developmentClock,
          mail,
          inboundMails: ticketMail.inbound,
          publicAddress,
          eventLoopDelayMsMax: options.eventLoopDelayMsMax ?? eventLoopDelayMsMax,
        }),
        ...payments.plugins,
        ...liveChannel.plugins,
        statusPage.plugin,
      ],
      mountRoutes(mount) {
        for (const feature of features) feature.mountRoutes(mount);
      },
    });
    closers.push(async () => app.close());
    return {
      app,
      platform,
      tls,
      publicOrigin: publicAddress.origin,
      chargeSavedCard: payments.chargeSavedCard,
      jobs: definitions,
      listenForMails: ticketMail.listen,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export function createLogger(config: ApiConfig): Logger {
  return pino({
    level: config.logLevel,
    base: { program: "api" },
    redact: {
      paths: ["req.headers.authorization", "req.headers.cookie", "*.password", "*.code", "*.token"],
      censor: "[redacted]",
    },
  });
}

function openDatabase(config: ApiConfig, log: Logger): Db {
  return createDb({
    url: config.databaseUrl,
    connectionsMax: 16,
    statementTimeoutMs: 10_000,
    onConnectionError: (error) => log.warn({ err: error }, "An idle database connection was lost"),
  });
}
