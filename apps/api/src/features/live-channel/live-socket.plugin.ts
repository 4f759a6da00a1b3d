import websocket from "@fastify/websocket";
import { channelCaps, socketsPath } from "@palisade/contract/http/live-channel";
import type { FastifyInstance } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { LiveHub } from "./live-hub.ts";

/**
 * Opens `/sockets`. The upgrade passes the hooks that other calls pass, so the caps by source and the
 * rule that only proxies and TLS are served hold here too.
 */
export async function serveLiveChannel(
  app: FastifyInstance,
  deps: { readonly hub: LiveHub; readonly publicOrigin: () => string },
): Promise<void> {
  const { hub, publicOrigin } = deps;
  await app.register(websocket, {
    options: { maxPayload: channelCaps.frameBytes, perMessageDeflate: false },
    // The hub says goodbye.
    preClose: (done) => {
      hub.shutDown();
      app.websocketServer.close();
      done();
    },
    // The connection has its own.
    errorHandler: () => undefined,
  });
  app.route({
    method: "GET",
    url: socketsPath,
    exposeHeadRoute: false,
    onRequest: async ({ headers }) => {
      if (isForeign(headers.origin, headers.host, publicOrigin())) {
        throw new DomainError("forbidden");
      }
    },
    handler: () => {
      throw new DomainError("not_found");
    },
    wsHandler: (socket, request) => hub.open(socket, request.headers["accept-language"]),
  });
}

/** Browsers say which site's page connects. Programs have no origin: they have a token. */
function isForeign(
  origin: string | undefined,
  host: string | undefined,
  publicOrigin: string,
): boolean {
  if (origin === undefined || origin === publicOrigin) return false;
  const { host: originHost } = URL.parse(origin) ?? {};
  return originHost === undefined || originHost === "" || originHost !== host?.toLowerCase();
}
