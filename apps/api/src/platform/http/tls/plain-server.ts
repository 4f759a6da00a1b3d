import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pickLocale } from "@palisade/contract/texts/render";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { translateError } from "#src/platform/errors/error-translator.ts";
import { addressMatcher, parseAddress } from "#src/platform/http/client-address.ts";
import { requestDeadlines } from "#src/platform/http/request-deadlines.ts";
import { capConnections } from "#src/platform/http/source-caps.ts";

/** The answer to a challenge of the CA. */
export type ChallengeAnswers = (token: string) => Promise<string | undefined>;

export interface PlainServerOptions {
  readonly answerTo: ChallengeAnswers;
  /** Browsers are sent there; without a slash at the end. */
  readonly publicOrigin: string;
  /** They bring many callers. */
  readonly trustedProxies: readonly string[];
  /** The app, for edges on this machine. */
  readonly serveApp: (request: IncomingMessage, answer: ServerResponse) => void;
}

const challengePath = "/.well-known/acme-challenge/";
const programPaths = /^\/(api\/v\d+|edge)(\/|$)/;
const connectionsMax = 4_000;
/** Less than on the port with TLS: a visitor asks for one redirect. */
const connectionsPerSourceMax = 32;
const isLoopback = addressMatcher(["127.0.0.0/8", "::1"]);

/**
 * The server beside the one with TLS, on port 80: it answers the CA's challenges and sends browsers
 * to https. Only edges on this machine may talk to the api without encryption. Other programs are
 * refused: a redirect would hide from them that they send their token unencrypted.
 */
export function createPlainServer(options: PlainServerOptions): Server {
  const server = createServer(
    { ...requestDeadlines, requestTimeout: 10_000, keepAliveTimeout: 5_000 },
    (request, answer) => {
      answer.setHeader("x-content-type-options", "nosniff");
      answer.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
      const path = request.url ?? "/";
      if (path.startsWith("/edge/") && isOfThisMachine(request)) options.serveApp(request, answer);
      else if (path.startsWith(challengePath)) void answerChallenge(options.answerTo, path, answer);
      else if (programPaths.test(path)) refuse(request, answer);
      else redirect(options.publicOrigin, path, answer);
    },
  );
  server.maxConnections = connectionsMax;
  capConnections(server, options.trustedProxies, connectionsPerSourceMax);
  return server;
}

function isOfThisMachine({ socket }: IncomingMessage): boolean {
  const address = parseAddress(socket.remoteAddress ?? "");
  return address !== undefined && isLoopback(address);
}

async function answerChallenge(
  answerTo: ChallengeAnswers,
  path: string,
  answer: ServerResponse,
): Promise<void> {
  const text = await answerTo(path.slice(challengePath.length)).catch(() => null);
  // Without the database; the CA and browsers ask again.
  if (text === null) answer.writeHead(503).end();
  else if (text === undefined) answer.writeHead(404).end();
  else answer.writeHead(200, { "content-type": "application/octet-stream" }).end(text);
}

function refuse({ headers }: IncomingMessage, answer: ServerResponse): void {
  const error = new DomainError("bad_request", { text: "https_only" });
  const { status, body } = translateError(error, pickLocale(headers["accept-language"]), newId());
  answer
    .writeHead(status, { "content-type": "application/problem+json; charset=utf-8" })
    .end(JSON.stringify(body));
}

function redirect(origin: string, path: string, answer: ServerResponse): void {
  // Not every target is a path: `*`, `host:port` and whole addresses go to the start page.
  const target = path.startsWith("/") ? path : "/";
  answer.writeHead(308, { location: origin + target, "content-length": 0 }).end();
}
