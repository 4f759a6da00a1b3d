import { constants, type ServerHttp2Stream } from "node:http2";
import type { Server } from "node:net";

/** A whole request arrives within this time. */
const requestMs = 30_000;

/** For servers of HTTP/1.1, which look for late requests at an interval. */
export const requestDeadlines = {
  requestTimeout: requestMs,
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
export function endLateStreams(server: Server, ms: number = requestMs): void {
  server.on("stream", (stream: ServerHttp2Stream) => {
    if (stream.endAfterHeaders) return;
    const late = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms);
    const arrived = (): void => clearTimeout(late);
    stream.once("end", arrived).once("close", arrived);
  });
}
