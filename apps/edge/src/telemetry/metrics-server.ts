import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

export interface MetricsServerDeps {
  readonly registry: Registry;
  /** Whether players are taken. */
  readonly isReady: () => boolean;
}

// An import would load all that the module exports, with a WebSocket client and thereby undici: 3 MB.
const { createServer } = process.getBuiltinModule("node:http");

/** /healthz, /readyz and /metrics, for this machine only. */
export class MetricsServer {
  readonly #deps: MetricsServerDeps;
  readonly #server: Server;

  constructor(deps: MetricsServerDeps) {
    this.#deps = deps;
    this.#server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (req, res) => {
      void this.#answer(req.url ?? "", res);
    });
    this.#server.maxConnections = 32;
  }

  /** @throws if the port cannot be had */
  async listen(port: number): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    // A TCP server's address is not a pipe's name.
    const address = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    try {
      if (url === "/healthz") plain(response, 200, "ok");
      else if (url === "/readyz") this.#readiness(response);
      else if (url === "/metrics") {
        const text = await this.#deps.registry.metrics();
        response.setHeader("content-type", this.#deps.registry.contentType);
        response.end(text);
      } else plain(response, 404, "not found");
    } catch {
      plain(response, 500, "failed");
    }
  }

  #readiness(response: ServerResponse): void {
    if (this.#deps.isReady()) plain(response, 200, "ready");
    else plain(response, 503, "not ready");
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain" });
  response.end(`${text}\n`);
}
