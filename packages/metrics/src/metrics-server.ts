import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

interface MetricsServerOptions {
  /** 0 means any free one. */
  readonly port: number;
  /** Given, /healthz and /readyz are served too. */
  readonly isReady?: () => boolean;
}

// An import would load all that the module exports, with a WebSocket client and thereby undici: 3 MB.
const { createServer } = process.getBuiltinModule("node:http");

/**
 * /metrics for this machine only, on a port of its own: no proxy in front of the program can show it
 * to the public by mistake.
 *
 * @throws the system's error when the port cannot be opened
 */
export async function startMetricsServer(
  registry: Registry,
  { port, isReady }: MetricsServerOptions,
): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 5_000 },
    (request, response) => {
      const { url } = request;
      if (url === "/metrics") void sendMetrics(registry, response);
      else if (url === "/healthz" && isReady !== undefined) send(response, 200, "ok");
      else if (url === "/readyz" && isReady !== undefined) {
        if (isReady()) send(response, 200, "ready");
        else send(response, 503, "not ready");
      } else send(response, 404, "not found");
    },
  );
  server.maxConnections = 32;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { "content-type": registry.contentType }).end(text);
  } catch {
    send(response, 500, "failed");
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" });
  response.end(`${text}\n`);
}
