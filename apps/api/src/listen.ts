import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as TlsServer } from "node:tls";
import type { Composition } from "#src/compose.ts";
import type { ApiConfig } from "#src/config.ts";
import { StartError } from "#src/platform/database/ready.ts";
import { createPlainServer } from "#src/platform/http/tls/plain-server.ts";
import { tlsParameters } from "#src/platform/http/tls/tls-parameters.ts";

export interface Listening {
  /** The address for programs of this machine, without encryption. */
  readonly url: string;
  /** Undefined: without TLS. */
  readonly secureUrl: string | undefined;
  readonly close: () => void;
}

/** Opens the ports: one without TLS, or one with it and the one beside it that sends browsers there. */
export async function listen(composition: Composition, config: ApiConfig): Promise<Listening> {
  const { app, tls } = composition;
  const { httpHost: host, inherited } = config;
  const mailListener = await composition.listenForMails(tls?.first);
  if (tls === undefined) {
    const url = await app.listen({ host, port: config.httpPort, ...descriptor(inherited.http) });
    return { url, secureUrl: undefined, close: () => undefined };
  }
  const plain = createPlainServer({
    answerTo: tls.answerTo,
    publicOrigin: composition.publicOrigin(),
    trustedProxies: config.trustedProxies,
    serveApp: (request, answer) => app.routing(request, answer),
  });
  const url = await open(plain, { host, port: config.httpPort, ...descriptor(inherited.http) });
  const secureUrl = await app.listen({
    host,
    port: config.httpsPort,
    ...descriptor(inherited.https),
  });
  tls.start((certificate) => {
    const { cert, key } = certificate;
    // The server that Fastify made for a certificate is one of TLS, whatever its type says.
    (app.server as unknown as TlsServer).setSecureContext({ cert, key, ...tlsParameters });
    mailListener?.renew(certificate);
  });
  return {
    url,
    secureUrl,
    close: () => {
      plain.close();
      plain.closeIdleConnections();
    },
  };
}

function descriptor(fd: number | undefined): { fd?: number } {
  return fd === undefined ? {} : { fd };
}

async function open(
  server: Server,
  options: { readonly host: string; readonly port: number; readonly fd?: number },
): Promise<string> {
  try {
    server.listen(options);
    await once(server, "listening");
  } catch (error) {
    throw new StartError(
      `Port ${options.port} on ${options.host} cannot be opened: set PALISADE_HTTP_PORT to a free port that this user may open`,
      { cause: error },
    );
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
