import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Session } from "#src/session/session.ts";
import type { SessionDeps } from "#src/session/session-deps.ts";
import type { Begin, Ingress } from "./ingress.ts";
import { type PortOpening, soleOpening } from "./port-opening.ts";

/** Connections the kernel holds until they are accepted; it cuts this at its own limit. */
export const backlog = 4_096;

/** Accepts Java players and starts a session for each, or sheds it. */
export class JavaListener {
  readonly #deps: SessionDeps;
  readonly #server: Server;
  readonly #opening: PortOpening;

  constructor(deps: SessionDeps, ingress: Ingress, opening = soleOpening) {
    this.#deps = deps;
    this.#opening = opening;
    this.#server = createServer({ allowHalfOpen: true });
    this.#server.on("connection", (socket) => ingress.take(socket, this.#begin));
  }

  /** One for all connections. */
  readonly #begin: Begin = (socket, sourceKey, connection) => {
    void new Session(socket, sourceKey, connection, this.#deps);
    // Bytes that a trusted proxy sent behind its header are waiting in the socket.
    if (socket.isPaused()) socket.resume();
  };

  /** @throws if the address cannot be had */
  async listen(host: string, port: number): Promise<AddressInfo> {
    await this.#opening.claim(host, port);
    this.#server.listen({ host, port, backlog, reusePort: this.#opening.reusePort });
    await once(this.#server, "listening");
    // A failed accept leaves the listener as it is; the connection is gone anyway.
    this.#server.on("error", () => undefined);
    // A TCP server's address is not a pipe's name.
    return this.#server.address() as AddressInfo;
  }

  /** Takes no more connections. */
  close(): void {
    this.#server.close();
  }

  /** Like `close`, and drops connections that no backend has taken. */
  stop(): void {
    this.close();
    this.#deps.admission.stop();
  }
}
