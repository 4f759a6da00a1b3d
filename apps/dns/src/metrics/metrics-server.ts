import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { SettingsError } from "@palisade/settings/settings";
import type { Registry } from "prom-client";

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/**
 * /metrics for this machine only.
 *
 * @param port 0 means any free one
 * @throws SettingsError when the port cannot be opened
 */
export async function startMetricsServer(registry: Registry, port: number): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: 5_000, headersTimeout: 5_000 },
    (request, answer) => {
      void answerMetrics(registry, request.url, answer);
    },
  );
  server.maxConnections = 32;
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    throw new SettingsError([
      `PALISADE_DNS_METRICS_PORT must be a free port, or 0 for any: ${port} on 127.0.0.1 cannot be opened`,
    ]);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answerMetrics(
  registry: Registry,
  url: string | undefined,
  answer: ServerResponse,
): Promise<void> {
  if (url !== "/metrics") {
    answer.writeHead(404).end();
    return;
  }
  try {
    const text = await registry.metrics();
    answer.writeHead(200, { "content-type": registry.contentType }).end(text);
  } catch {
    answer.writeHead(500).end();
  }
}
