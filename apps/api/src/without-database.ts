import { setTimeout as delay } from "node:timers/promises";
import { pickLocale } from "@palisade/contract/texts/locale";
import { fastify, LogController, type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { ApiConfig } from "#src/config.ts";
import { renderCard } from "#src/features/status-page/page/page-frame.ts";
import { statusStyle } from "#src/features/status-page/page/status-style.ts";
import { statusTexts } from "#src/features/status-page/page/status-texts.ts";
import { loadStatus } from "#src/features/status-page/status-copy.ts";
import { statusPaths } from "#src/features/status-page/status-paths.ts";
import { mountStatusSite, sendPage } from "#src/features/status-page/status-site.routes.ts";
import { systemClock } from "#src/platform/clock/clock.ts";
import { createDb } from "#src/platform/database/db.ts";
import { answersQueries } from "#src/platform/database/ready.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { translateError } from "#src/platform/errors/error-translator.ts";
import { registerClientAddress } from "#src/platform/http/client-address.ts";
import { requireProxy } from "#src/platform/http/https-only.ts";
import { serveConsole } from "#src/platform/http/public-site/console-files.ts";
import { serveLanding } from "#src/platform/http/public-site/landing-pages.ts";
import { requestDeadlines } from "#src/platform/http/request-deadlines.ts";
import { registerSecurityHeaders } from "#src/platform/http/security-headers.ts";
import { capConnections, capRequests } from "#src/platform/http/source-caps.ts";
import { readCertificateFiles } from "#src/platform/http/tls/certificate-files.ts";
import type { Certificate } from "#src/platform/http/tls/certificate.ts";
import { createPlainServer } from "#src/platform/http/tls/plain-server.ts";
import { tlsParameters } from "#src/platform/http/tls/tls-parameters.ts";

const lookMs = 500;

/**
 * A start without PostgreSQL: serves the last status page and the landing page until PostgreSQL
 * answers. It does nothing where PostgreSQL answers at once, or no status is stored in
 * PALISADE_HOME. Neither can it where the certificate is in the database, nor on sockets that the
 * program was started with, because closing them would end them for the api.
 */
export async function serveUntilDatabaseAnswers(config: ApiConfig, log: Logger): Promise<void> {
  const { tls, inherited } = config;
  if (tls?.kind === "acme" || Object.keys(inherited).length > 0) return;
  const db = createDb({
    url: config.databaseUrl,
    connectionsMax: 1,
    statementTimeoutMs: 2_000,
    onConnectionError: (error) => log.debug({ err: error }, "The database connection was lost"),
  });
  try {
    if (await answersQueries(db)) return;
    const status = await loadStatus(config.home);
    if (status === undefined) return;
    const certificate = tls === undefined ? undefined : await readCertificateFiles(tls);
    const app = await createAppWithoutDatabase(config, certificate, () => status, log);
    const close = await open(app, config, certificate !== undefined);
    log.warn("PostgreSQL does not answer: only the status page and the public pages are served");
    // The supervisor has ended, for whatever reason.
    const end = (): never => process.exit(0);
    process.once("disconnect", end);
    while (!(await answersQueries(db))) await delay(lookMs);
    process.removeListener("disconnect", end);
    await close();
  } finally {
    await db.destroy();
  }
}

type Status = NonNullable<Awaited<ReturnType<typeof loadStatus>>>;

async function createAppWithoutDatabase(
  config: ApiConfig,
  certificate: Certificate | undefined,
  current: () => Status,
  log: Logger,
): Promise<FastifyInstance> {
  const common = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: requestDeadlines.requestTimeout,
    keepAliveTimeout: 5_000,
    forceCloseConnections: true,
  };
  // Fastify's type follows the server's; nothing here uses what the two do not share.
  const app = (certificate === undefined
    ? fastify({ ...common, http: requestDeadlines })
    : fastify({
        ...common,
        https: {
          cert: certificate.cert,
          key: certificate.key,
          ...requestDeadlines,
          ...tlsParameters,
        },
      })) as unknown as FastifyInstance;
  capConnections(app.server, config.trustedProxies);
  registerClientAddress(app, config.trustedProxies);
  capRequests(app, config.trustedProxies);
  await registerSecurityHeaders(app, config);
  if (!config.development && certificate === undefined) {
    await requireProxy(app, config.trustedProxies);
  }
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    void reply.code(503).header("cache-control", "no-store");
    return { status: "not ready", database: false, notifications: false };
  });
  const origin = config.publicUrl?.replace(/\/$/, "") ?? `http://${config.httpHost}`;
  const { consoleFolder } = config;
  await mountStatusSite(app, {
    current,
    clock: systemClock,
    origin: () => origin,
    consoleFolder,
    canSubscribe: false,
  });
  await serveLanding(app, config);
  await serveConsole(app, consoleFolder);
  answerTheRest(app, consoleFolder);
  return app;
}

/** People get a page that leads to the status page; programs get the answer of an overloaded api. */
function answerTheRest(app: FastifyInstance, consoleFolder: string): void {
  const style = statusStyle(consoleFolder);
  app.setNotFoundHandler((request, reply) => {
    const locale = pickLocale(request.headers["accept-language"]);
    void reply.header("retry-after", "10");
    if (request.headers.accept?.includes("text/html") === true) {
      const { awayTitle: title, away: lead, toStatus } = statusTexts[locale];
      const more = `<div class="actions"><a class="button" href="${statusPaths.page}">${toStatus}</a></div>`;
      const page = renderCard({ locale, theme: undefined, style }, { title, lead, more });
      return sendPage(reply, 503, page, style);
    }
    const error = new DomainError("unavailable", { retryAfterSeconds: 10 });
    const { status, body } = translateError(error, locale, request.id);
    return reply
      .code(status)
      .header("cache-control", "no-store")
      .type("application/problem+json; charset=utf-8")
      .send(JSON.stringify(body));
  });
}

/** @returns closes the ports, for the api to open them */
async function open(
  app: FastifyInstance,
  config: ApiConfig,
  isSecure: boolean,
): Promise<() => Promise<void>> {
  const { httpHost: host, httpPort, httpsPort } = config;
  if (!isSecure) {
    await app.listen({ host, port: httpPort });
    return () => app.close();
  }
  const plain = createPlainServer({
    answerTo: () => Promise.resolve(undefined),
    publicOrigin: config.publicUrl?.replace(/\/$/, "") ?? "",
    trustedProxies: config.trustedProxies,
    serveApp: (request, answer) => app.routing(request, answer),
  });
  await app.listen({ host, port: httpsPort });
  await new Promise<void>((resolve, reject) => {
    plain.once("error", reject).listen({ host, port: httpPort }, resolve);
  });
  return async () => {
    const closed = new Promise<void>((resolve) => plain.close(() => resolve()));
    plain.closeAllConnections();
    await Promise.all([closed, app.close()]);
  };
}
