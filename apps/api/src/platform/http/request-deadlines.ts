import { constants, type ServerHttp2Stream } from "node:http2";
import type { Server } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A whole request arrives within this time. */
const requestMs = 30_000;
/** One with files: five of 10 MB take that long at 0.7 Mbit/s. */
const uploadMs = 600_000;

/** For servers of HTTP/1.1, which look for late requests at an interval. */
export const requestDeadlines = {
  /** The server knows no routes; `endLateRequests` holds most of them to less. */
  requestTimeout: uploadMs,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** For servers with TLS, in addition. */
export const tlsDeadlines = { handshakeTimeout: 10_000 } as const;

/**
 * As many requests at once on a connection as RFC 9113 recommends to allow at least. Node's default
 * allows any number.
 */
export const http2Settings = { maxConcurrentStreams: 100 } as const;

/**
 * The same deadline for requests over HTTP/2, for which Node has none: a body that comes byte by byte
 * would keep its stream, and what came of it, for ever.
 */
export function endLateStreams(server: Server, ms: number = uploadMs): void {
  server.on("stream", (stream: ServerHttp2Stream) => {
    if (stream.endAfterHeaders) return;
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms);
    const arrived = (): void => clearTimeout(late);
    stream.once("end", arrived).once("close", arrived);
  });
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route takes files, which may take their time to arrive. */
    readonly takesFiles?: boolean;
  }
}

/** Ends requests whose body does not arrive in time, by what their route takes. */
export function endLateRequests(
  app: FastifyInstance,
  { anyMs = requestMs, filesMs = uploadMs }: { anyMs?: number; filesMs?: number } = {},
): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!isArriving(request)) return;
    const ms = request.routeOptions.config.takesFiles === true ? filesMs : anyMs;
    const late = setTimeout(() => {
      if (!isWhole(request)) endLate(request, reply);
    }, ms);
    reply.raw.once("close", () => clearTimeout(late));
  });
}

/** Not so without a body: a WebSocket goes on for hours after its request. */
function isArriving({ raw, headers }: FastifyRequest): boolean {
  if (raw.httpVersionMajor === 2) return !streamOf(raw).endAfterHeaders;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return hasBody && !isWhole({ raw });
}

function isWhole({ raw }: Pick<FastifyRequest, "raw">): boolean {
  // Requests that tests inject are whole, and do not say so.
  const { complete }: { readonly complete?: boolean } = raw;
  return complete ?? true;
}

/** Fastify's types know requests of HTTP/1.1 only. */
function streamOf(raw: FastifyRequest["raw"]): ServerHttp2Stream {
  return (raw as unknown as { readonly stream: ServerHttp2Stream }).stream;
}

function endLate({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.httpVersionMajor === 2) {
    streamOf(raw).close(constants.NGHTTP2_CANCEL);
    return;
  }
  // As Node answers a request that is late for the server.
  if (!reply.raw.headersSent) {
    raw.socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
  }
  raw.socket.destroySoon();
}
