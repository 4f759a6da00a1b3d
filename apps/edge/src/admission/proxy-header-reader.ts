import {
  type ProxiedEnds,
  readProxyHeader,
} from "@palisade/minecraft-protocol/proxy/read-proxy-header";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import { ConnectionLife, type ConnectionOwner, type LifeDeps } from "./connection-life.ts";
import type { Expiring } from "#src/reactor/timer-wheel.ts";
import type { ShedReason } from "#src/telemetry/outcomes.ts";

/** Holds connections until a trusted proxy has named their source. */
const unnamedSource = "proxy";

/**
 * A connection from a trusted proxy, from accept until its PROXY header has named the player. Bytes
 * behind the header stay in the socket.
 */
export class ProxyHeaderReader implements ConnectionOwner {
  readonly #socket: Connection;
  readonly #life: ConnectionLife;
  readonly #onNamed: (ends: ProxiedEnds | undefined) => void;
  place: Expiring["place"] = undefined;
  #head: Buffer = Buffer.alloc(0);

  constructor(
    socket: Connection,
    deps: LifeDeps,
    onNamed: (ends: ProxiedEnds | undefined) => void,
  ) {
    this.#socket = socket;
    this.#onNamed = onNamed;
    this.#life = new ConnectionLife(socket, this, unnamedSource, deps);
    socket.resume();
  }

  received(chunk: Buffer): void {
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const result = readProxyHeader(this.#head);
    if (result.kind === "need-more") return;
    if (result.kind === "malformed") {
      this.#life.drop("malformed");
      return;
    }
    this.#socket.pause();
    this.#socket.listen(undefined);
    this.#life.handOn();
    this.#socket.putBack(this.#head.subarray(result.length));
    this.#onNamed(result.ends);
  }

  ended(): void {
    this.#life.drop("left");
  }

  closed(): void {
    this.#life.closed();
  }

  expire(): void {
    this.#life.drop("deadline");
  }

  shed(reason: ShedReason): void {
    this.#life.drop(reason);
  }

  stop(): void {
    this.#life.drop("stopped");
  }
}
