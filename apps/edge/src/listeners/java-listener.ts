import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Session } from "#src/session/session.ts";
import type { SessionDeps } from "#src/session/session-deps.ts";
import { sourceKey } from "./admission.ts";

/** Connections the kernel holds until they are accepted; it cuts this at its own limit. */
const backlog = 4_096;

/** Accepts Java players and starts a session for each, or sheds it. */
export class JavaListener {
  readonly #deps: SessionDeps;
  readonly #server: Server;
  #connections = 0;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#server = createServer({ allowHalfOpen: true });
    this.#server.on("connection", (socket) => this.#accept(socket));
  }

  /** @throws where the address cannot be had */
  async listen(host: string, port: number): Promise<AddressInfo> {
    this.#server.listen({ host, port, backlog });
    await once(this.#server, "listening");
    // A failed accept leaves the listener as it is; the connection is gone anyway.
    this.#server.on("error", () => undefined);
    // A TCP server's address is not a pipe's name.
    return this.#server.address() as AddressInfo;
  }

  /** Takes no more connections and drops those that are no player's. */
  stop(): void {
    this.#server.close();
    this.#deps.admission.stop();
  }

  #accept(socket: Socket): void {
    const { admission, outcomes } = this.#deps;
    outcomes.accepted++;
    const address = socket.remoteAddress;
    if (address === undefined) {
      outcomes.count("left");
      socket.on("error", () => undefined);
      socket.destroy();
      return;
    }
    const key = sourceKey(address);
    const refused = admission.admits(key);
    if (refused === undefined) {
      void new Session(socket, key, ++this.#connections, this.#deps);
      return;
    }
    outcomes.count(refused);
    // A reset leaves no TIME_WAIT behind.
    socket.on("error", () => undefined);
    socket.resetAndDestroy();
  }
}
