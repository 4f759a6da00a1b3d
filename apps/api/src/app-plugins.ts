import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { MailPart } from "#src/compose-mail.ts";
import type { ApiConfig } from "#src/config.ts";
import { answerDevelopmentMail } from "#src/features/ticket-mail/development-answers.service.ts";
import type { InboundMails } from "#src/features/ticket-mail/inbound-mails.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { DevelopmentClock } from "#src/platform/clock/development-clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { PgBus } from "#src/platform/database/pg-bus.ts";
import { mountDevelopmentRoutes } from "#src/platform/development/development-routes.ts";
import { afterAnswer } from "#src/platform/http/after-answer.ts";
import { callerOf } from "#src/platform/http/pipeline/request-callers.ts";
import { problemOf } from "#src/platform/http/pipeline/request-problems.ts";
import { redactUrl } from "#src/platform/http/pipeline/redact-url.ts";
import { serveConsole } from "#src/platform/http/public-site/console-files.ts";
import { mountCspReports } from "#src/platform/http/csp-reports.ts";
import { requireProxy } from "#src/platform/http/https-only.ts";
import { mountHealth } from "#src/platform/http/ops/health.ts";
import type { PublicOrigin } from "#src/platform/http/listening-origin.ts";
import { measureRequests } from "#src/platform/http/ops/metrics.ts";
import { mountOpenApi } from "#src/platform/http/api-docs/openapi.ts";
import { registerLoadShedding } from "#src/platform/http/ops/load-shedding.ts";
import { mountReference } from "#src/platform/http/api-docs/reference.ts";
import { serveLanding } from "#src/platform/http/public-site/landing-pages.ts";
import { serveSecurityTxt } from "#src/platform/http/public-site/security-txt.ts";
import { registerSecurityHeaders } from "#src/platform/http/security-headers.ts";

export interface AppPluginsDeps {
  readonly config: ApiConfig;
  readonly db: Db;
  readonly bus: PgBus;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly developmentClock: DevelopmentClock;
  readonly mail: Pick<MailPart, "templates" | "letterhead">;
  /** Undefined: mails are not answered by mail. */
  readonly inboundMails: InboundMails | undefined;
  readonly publicAddress: PublicOrigin;
  readonly eventLoopDelayMsMax: number;
}

/** The plugins besides the routes of the contract, in the order of registration. */
export function appPlugins(
  deps: AppPluginsDeps,
): readonly ((app: FastifyInstance) => Promise<void>)[] {
  const { config, db, bus, publicAddress } = deps;
  return [
    logRequests,
    publicAddress.plugin,
    (app) => registerSecurityHeaders(app, { development: config.development }),
    ...(config.development || config.tls !== undefined
      ? []
      : [(app: FastifyInstance) => requireProxy(app, config.trustedProxies)]),
    (app) => registerLoadShedding(app, deps.eventLoopDelayMsMax),
    (app) => mountHealth(app, { db, bus }),
    (app) => measureRequests(app, deps.metrics),
    (app) => mountOpenApi(app, publicAddress.origin),
    mountReference,
    (app) => mountCspReports(app, deps.metrics),
    ...(config.development
      ? [
          (app: FastifyInstance) =>
            mountDevelopmentRoutes(app, {
              db,
              clock: deps.developmentClock,
              publicOrigin: publicAddress.origin,
              mail: deps.mail,
              answer: deps.inboundMails && answerDevelopmentMail(db, deps.inboundMails),
            }),
        ]
      : []),
    (app) =>
      serveSecurityTxt(app, {
        email: config.operator.email,
        origin: publicAddress.origin,
        clock: deps.clock,
      }),
    (app) => serveLanding(app, config),
    (app) => serveConsole(app, config.consoleFolder),
  ];
}

/** One line per answer, except for the probes of monitors, which would drown the rest. */
async function logRequests(app: FastifyInstance): Promise<void> {
  const probes = new Set(["/healthz", "/readyz"]);
  app.addHook("onRequest", async (request) => {
    if (probes.has(request.url)) return;
    afterAnswer(request, ({ statusCode, elapsedTime }) => {
      request.log.info(
        {
          method: request.method,
          url: redactUrl(request.url, []),
          status: statusCode,
          ms: Math.round(elapsedTime),
          ip: request.ip,
          ...callerOf(request),
          ...problemOf(request),
        },
        "Answered",
      );
    });
  });
}
