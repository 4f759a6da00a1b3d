import { randomBytes } from "node:crypto";
import {
  encodePing,
  type OfflinePong,
  readPong,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { BackendError } from "@palisade/contract/edge/telemetry";
import type { EventHandler } from "@palisade/sockets/reactor";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import type { BackendAddress } from "#src/resolver/backend-resolver.ts";
import type { BedrockTarget } from "#src/shields/bedrock-target.ts";
import {
  BackendSocket,
  type BackendSocketDeps,
  openBackendSocket,
  ownHeader,
} from "./backend-socket.ts";
import { bytesOf, type DatagramRoom } from "./datagram-room.ts";

/** A ping or its pong may get lost, so it is sent again after this long, this many times. */
const tryMs = 700;
const triesMax = 3;

const guid = randomBytes(8).readBigUInt64BE();

export interface PingExchangeDeps extends Pick<BackendSocketDeps, "fds" | "policy"> {
  readonly wheel: TimerWheel;
  readonly room: Pick<DatagramRoom, "backend" | "toPeer">;
  readonly monotonicMs: () => number;
}

export interface PingedBackend extends Pick<BedrockTarget, "port" | "proxy"> {
  readonly addresses: readonly BackendAddress[];
}

export type PingResult =
  | {
      readonly kind: "pong";
      readonly pong: OfflinePong;
      readonly address: BackendAddress;
      /** From the last ping on. */
      readonly latencyMs: number;
    }
  /** A lack of descriptors says nothing about the backend. */
  | { readonly kind: "no_room" | BackendError };

/**
 * One ping of a backend, and its repetitions, each from a port of its own: a receiver of PROXY headers
 * that has missed the first datagram of a port understands none of the others.
 */
export class PingExchange implements EventHandler, Expiring {
  readonly #deps: PingExchangeDeps;
  readonly #backend: PingedBackend;
  readonly #onEnd: (result: PingResult) => void;
  #socket: BackendSocket | undefined;
  #tries = 0;
  #sentAtMs = 0;
  #isOver = false;
  place: Expiring["place"] = undefined;

  /** @param onEnd called once, maybe before this returns */
  constructor(deps: PingExchangeDeps, backend: PingedBackend, onEnd: (result: PingResult) => void) {
    this.#deps = deps;
    this.#backend = backend;
    this.#onEnd = onEnd;
    this.#try();
  }

  ready(): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    const { room, monotonicMs } = this.#deps;
    const count = room.backend.receive(socket.fd);
    if (count < 0) {
      this.#end({ kind: "refused" });
      return;
    }
    for (let entry = 0; entry < count; entry += 1) {
      const pong = readPong(bytesOf(room.backend, entry));
      if (pong === undefined) continue;
      const latencyMs = monotonicMs() - this.#sentAtMs;
      this.#end({ kind: "pong", pong, address: socket.address, latencyMs });
      return;
    }
  }

  expire(): void {
    if (this.#tries < triesMax) this.#try();
    else this.giveUp();
  }

  giveUp(): void {
    if (!this.#isOver) this.#end({ kind: "timeout" });
  }

  #try(): void {
    this.#tries += 1;
    this.#socket?.close();
    this.#socket = undefined;
    const { fds, room, wheel, monotonicMs } = this.#deps;
    const { addresses, port } = this.#backend;
    const opened = openBackendSocket(addresses, port, this.#deps, () => true);
    if (typeof opened === "string") {
      this.#end({ kind: opened });
      return;
    }
    this.#socket = new BackendSocket(opened, fds, this);
    this.#sentAtMs = monotonicMs();
    const ping = encodePing(BigInt(Math.floor(this.#sentAtMs)), guid);
    room.toPeer(opened.fd, ownHeader(this.#backend, opened), ping);
    wheel.schedule(this, tryMs);
  }

  #end(result: PingResult): void {
    this.#isOver = true;
    this.#deps.wheel.cancel(this);
    this.#socket?.close();
    this.#socket = undefined;
    this.#onEnd(result);
  }
}
