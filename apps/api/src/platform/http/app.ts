import type { IncomingMessage } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";
import cookie from "@fastify/cookie";
import { basePaths, mountedPath } from "@palisade/contract/http/route";
import { socketsPath } from "@palisade/contract/http/live-channel";
import { allRoutes } from "@palisade/contract/http/routes";
import { pickLocale } from "@palisade/contract/texts/render";
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyHttp2SecureOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
  type FastifyRequest,
} from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import { newId } from "#src/platform/database/ids.ts";
import { trackAnswers } from "./after-answer.ts";
import { answerWithPage } from "./public-site/console-files.ts";
import type { Certificate } from "#src/platform/http/tls/certificate.ts";
import { tlsParameters } from "#src/platform/http/tls/tls-parameters.ts";
import { registerClientAddress } from "./client-address.ts";
import {
  endLateRequests,
  endLateStreams,
  http2Settings,
  requestDeadlines,
  tlsDeadlines,
} from "./request-deadlines.ts";
import { capConnections, capRequests } from "./source-caps.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { translateError } from "#src/platform/errors/error-translator.ts";
import { createMount, type MountDeps } from "./pipeline/mount.ts";
import type { Mount } from "./pipeline/mount-types.ts";
import { noteProblem } from "./pipeline/request-problems.ts";
import { createWindowCounter } from "./pipeline/window-counter.ts";
import { openApiPath } from "./api-docs/openapi.ts";
import { contractValidator } from "./pipeline/validation.ts";

export interface AppOptions extends Omit<MountDeps, "closing" | "windows"> {
  readonly log: FastifyBaseLogger;
  readonly trustedProxies: readonly string[];
  /** Undefined: without TLS, over HTTP/1.1 only. */
  readonly certificate?: Pick<Certificate, "cert" | "key"> | undefined;
  /** Plugins around the contract: headers, health, console, reference. Registered first. */
  readonly plugins: readonly ((app: FastifyInstance) => Promise<void>)[];
  /** Mounts every route of the contract. */
  readonly mountRoutes: (mount: Mount) => void;
}

/** For answers under way when the api shuts down. */
const closeGraceMs = 3_000;

/**
 * The app without its server: `inject` it in tests, `listen` in main.ts. Refuses to be built
 * while a route of the contract is not mounted.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const closing = new AbortController();
  const app = newServer(options.certificate, {
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestTimeout: requestDeadlines.requestTimeout,
    // Answers within 60 s of silence on the socket; streams beat faster.
    connectionTimeout: 60_000,
    keepAliveTimeout: 20_000,
    forceCloseConnections: "idle",
    // A request that came before the connection was closed is served: a restart refuses none.
    return503OnClosing: false,
    // Fastify refuses some requests before routing, for instance a malformed escape in the path.
    frameworkErrors: (error, request, reply) => void answerProblem(error, request, reply),
    routerOptions: { maxParamLength: 200 },
  });
  const connections = trackConnections(app);
  app.setValidatorCompiler(contractValidator);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    // Returns nothing: each returned reply is awaited, with listeners of its own on the answer.
    if (answerWithPage(request, reply)) return;
    void answerProblem(new DomainError("not_found"), request, reply);
  });
  app.addHook("preClose", async () => {
    // Open streams would hold `close` back for ever.
    closing.abort();
    // So would connections kept ready on which nothing was ever asked: Node calls none of them idle.
    setTimeout(() => connections.forEach((socket) => socket.destroy()), closeGraceMs).unref();
  });
  trackAnswers(app);
  endLateRequests(app);
  capConnections(app.server, options.trustedProxies);
  registerClientAddress(app, options.trustedProxies);
  app.addHook("onRequest", async (request, reply) => {
    void reply.header("x-request-id", request.id);
  });
  capRequests(app, options.trustedProxies);
  app.addHook("onRoute", ({ method, url }) => refuseForeignRoute(String(method), url));
  // A page of another site may send forms and plain text without being asked for leave, so only
  // JSON is taken, except by the calls that take a form of our own (multipart.ts).
  app.removeContentTypeParser("text/plain");
  await app.register(cookie);
  for (const plugin of options.plugins) await plugin(app);

  await app.register(async (scope) => {
    const { mount, mounted } = createMount(scope, {
      ...options,
      closing: closing.signal,
      windows: createWindowCounter(),
    });
    options.mountRoutes(mount);
    const missing = allRoutes.filter((route) => !mounted.has(route.id)).map((route) => route.id);
    if (missing.length > 0) throw new Error(`Routes without a handler: ${missing.join(", ")}`);
  });
  await app.ready();
  return app;
}

/** Browsers speak HTTP/2 over TLS; everyone else goes on with HTTP/1.1 on the same port. */
function newServer(
  certificate: AppOptions["certificate"],
  options: FastifyServerOptions,
): FastifyInstance {
  const upgrades = { shouldUpgradeCallback: isUpgrade };
  if (certificate === undefined) {
    return fastify({ ...options, http: { ...requestDeadlines, ...upgrades } });
  }
  const { cert, key } = certificate;
  const https = {
    cert,
    key,
    allowHTTP1: true,
    settings: http2Settings,
    // Fastify sets it for servers of HTTP/1.1 only.
    keepAliveTimeout: options.keepAliveTimeout,
    ...requestDeadlines,
    ...tlsDeadlines,
    ...tlsParameters,
    ...upgrades,
  };
  // Handlers use what servers and requests of both versions have in common.
  const common = options as unknown as FastifyHttp2SecureOptions<Http2SecureServer>;
  const app = fastify({ ...common, http2: true, https }) as unknown as FastifyInstance;
  endLateStreams(app.server);
  return app;
}

/** Other calls are served whatever they ask to be upgraded to: curl asks for HTTP/2 that way. */
function isUpgrade({ method, url, headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === "websocket";
  return isWebSocket && method === "GET" && url?.split("?")[0] === socketsPath;
}

function trackConnections(app: FastifyInstance): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  app.server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return connections;
}

const contractRoutes = new Set([
  ...allRoutes.map((route) => `${route.method} ${mountedPath(route)}`),
  `GET ${openApiPath}`,
]);

/** A route outside the contract would have no access class, no limits and no description. */
function refuseForeignRoute(method: string, url: string): void {
  const isBelowBase = Object.values(basePaths).some((base) => url.startsWith(`${base}/`));
  if (isBelowBase && method !== "HEAD" && !contractRoutes.has(`${method} ${url}`)) {
    throw new Error(`${method} ${url} is not in the contract`);
  }
}

function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const locale = pickLocale(request.headers["accept-language"]);
  const translated = translateError(error, locale, request.id);
  noteProblem(request, translated.body.code);
  if (translated.isUnexpected)
    request.log.error({ err: error, reqId: request.id }, "Request failed");
  return reply
    .code(translated.status)
    .headers(translated.headers)
    .header("cache-control", "no-store")
    .header("x-request-id", request.id)
    .type("application/problem+json; charset=utf-8")
    .send(JSON.stringify(translated.body));
}
