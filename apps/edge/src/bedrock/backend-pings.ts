import { randomBytes } from "node:crypto";
import { readAdvertisement } from "@palisade/minecraft-protocol/bedrock/advertisement";
import { encodePing, readPong } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { BackendError } from "@palisade/contract/edge/telemetry";
import type { ConnectLimit } from "#src/dialling/player-dial.ts";
import type { EventHandler } from "#src/reactor/reactor.ts";
import { threadReactor } from "#src/reactor/reactor.ts";
import type { Expiring, TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { BackendAddress } from "#src/resolver/backend-resolver.ts";
import type { Backend } from "#src/shields/compiled-shield.ts";
import {
  BackendSocket,
  type BackendSocketDeps,
  openBackendSocket,
  ownHeader,
} from "./backend-socket.ts";
import type { BedrockTarget } from "#src/shields/bedrock-target.ts";
import { bytesOf, type DatagramRoom } from "./datagram-room.ts";

/** A ping or its pong may get lost, so it is sent again after this long, this many times. */
const tryMs = 700;
const triesMax = 3;
/** Addresses that are remembered for one backend: as many as its name may have. */
const answeredMax = 8;

export interface BackendPingsDeps extends BackendSocketDeps {
  readonly wheel: TimerWheel;
  readonly room: DatagramRoom;
  readonly connects: Pick<ConnectLimit, "allows">;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/** Asks backends for their pong: for pings of players, and to know whether they are up. */
export class BackendPings {
  readonly #deps: BackendPingsDeps;
  readonly #guid = randomBytes(8).readBigUInt64BE();

  constructor(deps: BackendPingsDeps) {
    this.#deps = deps;
  }

  /**
   * Asks, unless an answer is being waited for already.
   *
   * @param purge as of `StatusCaching`
   * @param onEnd called once the answer is there, or none has come
   */
  ask(backend: Backend, target: BedrockTarget, purge: number, onEnd: () => void): void {
    const { pong } = target;
    if (pong.isAsked) return;
    const isUp = target.health.state === "up" && !target.health.isDown;
    if (!isUp && !this.#deps.connects.allows("check", backend, "minecraft")) return;
    pong.isAsked = true;
    pong.askedAtMs = this.#deps.monotonicMs();
    const end = (outcome: PingOutcome): void => {
      pong.isAsked = false;
      const moment = { wallMs: this.#deps.nowMs(), monotonicMs: this.#deps.monotonicMs() };
      if (outcome === "answered") {
        pong.purge = purge;
        target.health.succeeded(moment);
      } else if (outcome !== "no_room") target.health.failed(outcome, moment);
      onEnd();
    };
    const begin = (addresses: readonly BackendAddress[]): void => {
      void new PingExchange(this.#deps, target, addresses, this.#guid, end);
    };
    const addresses = this.#deps.resolver.addresses(backend.host);
    if (addresses instanceof Promise) {
      void addresses.then(begin);
      threadReactor().wakeNode();
    } else begin(addresses);
  }
}

/** A lack of descriptors says nothing about the backend. */
type PingOutcome = "answered" | "no_room" | BackendError;

/**
 * One ping of a backend, and its repetitions, each from a port of its own: a receiver of PROXY headers
 * that has missed the first datagram of a port understands none of the others.
 */
class PingExchange implements EventHandler, Expiring {
  readonly #deps: BackendPingsDeps;
  readonly #target: BedrockTarget;
  readonly #addresses: readonly BackendAddress[];
  readonly #guid: bigint;
  readonly #onEnd: (outcome: PingOutcome) => void;
  #socket: BackendSocket | undefined;
  #tries = 0;
  place: Expiring["place"] = undefined;

  constructor(
    deps: BackendPingsDeps,
    target: BedrockTarget,
    addresses: readonly BackendAddress[],
    guid: bigint,
    onEnd: (outcome: PingOutcome) => void,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#addresses = addresses;
    this.#guid = guid;
    this.#onEnd = onEnd;
    this.#try();
  }

  ready(): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    const { room, monotonicMs } = this.#deps;
    const count = room.backend.receive(socket.fd);
    if (count < 0) {
      this.#end("refused");
      return;
    }
    for (let entry = 0; entry < count; entry += 1) {
      const pong = readPong(bytesOf(room.backend, entry));
      if (pong === undefined) continue;
      const { pong: slot, answered, players } = this.#target;
      slot.advertisement = readAdvertisement(pong.advertisement);
      slot.atMs = monotonicMs();
      slot.playersThen = players;
      if (answered.size < answeredMax) answered.add(socket.address.text);
      this.#end("answered");
      return;
    }
  }

  expire(): void {
    if (this.#tries < triesMax) this.#try();
    else this.#end("timeout");
  }

  #try(): void {
    this.#tries += 1;
    this.#socket?.close();
    this.#socket = undefined;
    const opened = openBackendSocket(this.#addresses, this.#target.port, this.#deps, () => true);
    if (typeof opened === "string") {
      this.#end(opened);
      return;
    }
    const { fds, room, wheel, monotonicMs } = this.#deps;
    this.#socket = new BackendSocket(opened, fds, this);
    const ping = encodePing(BigInt(Math.floor(monotonicMs())), this.#guid);
    room.toPeer(opened.fd, ownHeader(this.#target, opened), ping);
    wheel.schedule(this, tryMs);
  }

  #end(outcome: PingOutcome): void {
    this.#deps.wheel.cancel(this);
    this.#socket?.close();
    this.#socket = undefined;
    this.#onEnd(outcome);
  }
}
