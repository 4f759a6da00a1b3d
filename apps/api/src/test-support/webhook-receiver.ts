import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly origin: string;
  readonly received: ReceivedRequest[];
  /** How it answers from now on; by default 204. */
  answer(reply: (response: ServerResponse, request: ReceivedRequest) => void): void;
  close(): void;
}

/** A receiver of webhooks on this machine. */
export async function createWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = [];
  let reply: Parameters<WebhookReceiver["answer"]>[0] = (response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "", url = "", headers } = request;
    const told = { method, url, headers, body };
    received.push(told);
    reply(response, told);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on TCP: the address is one.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: (given) => void (reply = given),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
