import {
  clientFrame,
  serverFrame,
  socketsPath,
  type ClientFrame,
  type ServerFrame,
} from "@palisade/contract/http/live-channel";
import type { Page, WebSocketRoute } from "playwright-core";

/** The live channel of the pages of a test, held to the frames of the contract. */
export class StubLiveChannel {
  readonly #sockets = new Set<WebSocketRoute>();
  readonly received: ClientFrame[] = [];
  readonly violations: string[] = [];
  /** New connections are closed with this code. */
  refusesWith: number | null = null;

  async serve(page: Page): Promise<void> {
    await page.routeWebSocket(
      (url) => url.pathname === socketsPath,
      (socket) => this.#accept(socket),
    );
  }

  #accept(socket: WebSocketRoute): void {
    if (this.refusesWith !== null) return void socket.close({ code: this.refusesWith });
    this.#sockets.add(socket);
    socket.onClose(() => this.#sockets.delete(socket));
    socket.onMessage((text) => {
      const read = clientFrame.safeParse(JSON.parse(text.toString()));
      if (!read.success)
        return void this.violations.push(`A frame outside the contract: ${text.toString()}`);
      this.received.push(read.data);
      const { event, data } = read.data;
      if (event === "authenticate") sendTo(socket, { event: "authenticated", data: {} });
      if (event === "subscribe") sendTo(socket, { event: "subscribed", data });
    });
  }

  /** To every page that is connected. */
  send(frame: ServerFrame): void {
    for (const socket of this.#sockets) sendTo(socket, frame);
  }

  /** Ends every connection. */
  async drop(code: number): Promise<void> {
    const ended = [...this.#sockets];
    this.#sockets.clear();
    await Promise.all(ended.map((socket) => socket.close({ code })));
  }

  reset(): void {
    this.refusesWith = null;
    this.#sockets.clear();
    this.received.length = 0;
    this.violations.length = 0;
  }
}

function sendTo(socket: WebSocketRoute, frame: ServerFrame): void {
  socket.send(JSON.stringify(serverFrame.parse(frame)));
}
