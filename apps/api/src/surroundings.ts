import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { MailPart } from "#src/compose-mail.ts";
import type { ApiConfig } from "#src/config.ts";
import type { DevelopmentClock } from "#src/platform/clock/development-clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { PgBus } from "#src/platform/database/pg-bus.ts";
import { mountDevelopmentRoutes } from "#src/platform/development/development-routes.ts";
import { serveConsole } from "#src/platform/http/console-files.ts";
import { mountHealth } from "#src/platform/http/health.ts";
import { publicOrigin } from "#src/platform/http/listening-origin.ts";
import { mountMetrics } from "#src/platform/http/metrics.ts";
import { describeApi } from "#src/platform/http/openapi.ts";
import { shedLoad } from "#src/platform/http/pressure.ts";
import { mountReference } from "#src/platform/http/reference.ts";
import { serveLanding } from "#src/platform/http/landing-pages.ts";
import { logRequests } from "#src/platform/http/request-log.ts";
import { securityHeaders } from "#src/platform/http/security-headers.ts";

export interface SurroundingsDeps {
  readonly config: ApiConfig;
  readonly db: Db;
  readonly bus: PgBus;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly developmentClock: DevelopmentClock;
  readonly mail: Pick<MailPart, "templates" | "letterhead">;
  readonly eventLoopDelayMsMax: number;
}

/** Everything the api serves besides the contract, in the order of registration. */
export function surroundings(
  deps: SurroundingsDeps,
): readonly ((app: FastifyInstance) => Promise<void>)[] {
  const { config, db, bus } = deps;
  const listening = publicOrigin(config);
  return [
    logRequests,
    listening.plugin,
    (app) => securityHeaders(app, { development: config.development }),
    (app) => shedLoad(app, deps.eventLoopDelayMsMax),
    (app) => mountHealth(app, { db, bus }),
    (app) => mountMetrics(app, deps.metrics),
    (app) => describeApi(app, listening.origin),
    mountReference,
    ...(config.development
      ? [
          (app: FastifyInstance) =>
            mountDevelopmentRoutes(app, {
              db,
              clock: deps.developmentClock,
              mail: deps.mail,
            }),
        ]
      : []),
    (app) => serveLanding(app, config),
    (app) => serveConsole(app, config.consoleFolder),
  ];
}
