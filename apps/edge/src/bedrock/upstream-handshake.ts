import {
  encodeOpenRequest1,
  encodeOpenRequest2,
  headerBytes,
  offlineIds,
  readOpenReply1,
  readOpenReply2,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { type Endpoint, proxyV2BytesMax } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { BackendError } from "@palisade/contract/edge/telemetry";
import { threadReactor, type EventHandler } from "@palisade/sockets/reactor";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import type { BackendAddress } from "#src/resolver/backend-resolver.ts";
import { backendOrder, justFailedMs } from "#src/routing/backends.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import {
  BackendSocket,
  type BackendSocketDeps,
  isProven,
  openBackendSocket,
  playerHeader,
} from "./backend-socket.ts";
import type { BedrockTarget } from "#src/shields/bedrock-target.ts";
import { bytesOf, type DatagramRoom } from "./datagram-room.ts";

/** A backend that says nothing gets the request again after this long, this many times. */
const tryMs = 600;
const triesMax = 3;
/** A port whose last player the backend still takes for connected, because their goodbye was lost, is left for another. */
const takenPortsMax = 3;

export interface UpstreamDeps extends BackendSocketDeps {
  readonly wheel: TimerWheel;
  readonly room: DatagramRoom;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/** The client's words when it opened its connection with the edge. */
export interface OpenedByClient {
  readonly client: Endpoint;
  /** The edge's address as the client sees it. */
  readonly server: Endpoint;
  readonly protocol: number;
  readonly mtu: number;
  readonly guid: bigint;
}

export interface UpstreamOpen {
  readonly kind: "open";
  readonly backend: Backend;
  readonly target: BedrockTarget;
  readonly socket: BackendSocket;
  readonly mtu: number;
}

export type UpstreamOutcome =
  | UpstreamOpen
  /** The backend's own answer, e.g. that it is full. */
  | { readonly kind: "refused"; readonly answer: Buffer }
  | { readonly kind: "offline" };

interface Candidate {
  readonly backend: Backend;
  readonly target: BedrockTarget;
}

/**
 * Opens a connection of RakNet with a backend as the client has opened one with the edge: with each
 * backend of the shield in turn, until one answers.
 */
export class UpstreamHandshake implements EventHandler, Expiring {
  readonly #deps: UpstreamDeps;
  readonly #request: OpenedByClient;
  readonly #onOutcome: (outcome: UpstreamOutcome) => void;
  readonly #candidates: readonly Candidate[];
  #next = 0;
  #candidate: Candidate | undefined;
  #addresses: readonly BackendAddress[] = [];
  #socket: BackendSocket | undefined;
  #header: Uint8Array = new Uint8Array(0);
  #tries = 0;
  #takenPorts = 0;
  #mtu: number;
  /** The second request, once the backend has answered the first. */
  #second: Buffer | undefined;
  #isOver = false;
  place: Expiring["place"] = undefined;

  /** @param onOutcome called once unless it is aborted, and not before `start` */
  constructor(
    deps: UpstreamDeps,
    shield: CompiledShield,
    request: OpenedByClient,
    onOutcome: (outcome: UpstreamOutcome) => void,
  ) {
    this.#deps = deps;
    this.#request = request;
    this.#onOutcome = onOutcome;
    this.#mtu = request.mtu;
    this.#candidates = candidatesOf(shield, request.client, deps.monotonicMs());
  }

  start(): void {
    this.#tryNext();
  }

  abort(): void {
    this.#isOver = true;
    this.#drop();
  }

  ready(): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    const { backend } = this.#deps.room;
    const count = backend.receive(socket.fd);
    if (count < 0) {
      this.#failed("refused");
      return;
    }
    for (let entry = 0; entry < count && this.#socket === socket; entry += 1) {
      this.#take(bytesOf(backend, entry));
    }
  }

  expire(): void {
    if (this.#tries >= triesMax) this.#failed("timeout");
    else if (this.#second === undefined) this.#begin();
    else this.#sendSecond();
  }

  #tryNext(): void {
    if (this.#isOver) return;
    const candidate = this.#candidates[this.#next++];
    this.#candidate = candidate;
    this.#tries = 0;
    if (candidate === undefined) {
      this.#isOver = true;
      this.#onOutcome({ kind: "offline" });
      return;
    }
    const addresses = this.#deps.resolver.addresses(candidate.backend.host);
    if (addresses instanceof Promise) {
      void addresses.then((found) => {
        this.#addresses = found;
        if (!this.#isOver) this.#begin();
      });
      threadReactor().wakeNode();
      return;
    }
    this.#addresses = addresses;
    this.#begin();
  }

  /**
   * Sends the first request from a new port: a receiver of PROXY headers that has missed the first
   * datagram of a port understands none of the others.
   */
  #begin(): void {
    const candidate = this.#candidate;
    if (candidate === undefined) return;
    const { backend, target } = candidate;
    this.#drop();
    this.#tries += 1;
    const opened = openBackendSocket(this.#addresses, target.port, this.#deps, (address) =>
      isProven(backend, target, address),
    );
    if (typeof opened === "string") {
      if (opened === "no_room") this.#tryNext();
      else this.#failed(opened);
      return;
    }
    const { client, server, protocol, mtu } = this.#request;
    this.#socket = new BackendSocket(opened, this.#deps.fds, this);
    this.#header = playerHeader(target, client, server);
    const overhead = opened.address.ip.length === 4 ? headerBytes.ipv4 : headerBytes.ipv6;
    const room = target.proxy === "every" ? proxyV2BytesMax : 0;
    this.#mtu = mtu - room;
    const first = encodeOpenRequest1(protocol, this.#mtu - overhead);
    this.#deps.room.toPeer(opened.fd, this.#header, first);
    this.#deps.wheel.schedule(this, tryMs);
  }

  #take(bytes: Buffer): void {
    const candidate = this.#candidate;
    if (candidate === undefined || this.#socket === undefined) return;
    const id = bytes[0] ?? 0;
    if (id === offlineIds.alreadyConnected && this.#takenPorts < takenPortsMax) {
      this.#takenPorts += 1;
      this.#tries = 0;
      this.#begin();
      return;
    }
    if (refusalIds.has(id)) {
      this.#refused(Buffer.from(bytes));
      return;
    }
    if (this.#second === undefined) {
      const reply = readOpenReply1(bytes);
      if (reply === undefined) return;
      this.#mtu = Math.max(mtuMin, Math.min(this.#mtu, reply.mtu));
      const { guid } = this.#request;
      const server = { ip: this.#socket.address.ip, port: candidate.target.port };
      this.#second = encodeOpenRequest2({ cookie: reply.cookie, server, mtu: this.#mtu, guid });
      this.#tries = 0;
      this.#sendSecond();
      return;
    }
    const reply = readOpenReply2(bytes);
    if (reply === undefined) return;
    this.#open(candidate, Math.max(mtuMin, Math.min(this.#mtu, reply.mtu)));
  }

  #sendSecond(): void {
    if (this.#socket === undefined || this.#second === undefined) return;
    this.#tries += 1;
    const hasHeader = this.#candidate?.target.proxy === "every";
    const parts = hasHeader ? [this.#header, this.#second] : [this.#second];
    this.#deps.room.toPeer(this.#socket.fd, ...parts);
    this.#deps.wheel.schedule(this, tryMs);
  }

  #open({ backend, target }: Candidate, mtu: number): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    this.#socket = undefined;
    this.#isOver = true;
    this.#deps.wheel.cancel(this);
    target.health.succeeded(this.#moment());
    this.#onOutcome({ kind: "open", backend, target, socket, mtu });
  }

  #refused(answer: Buffer): void {
    this.#isOver = true;
    this.#drop();
    this.#onOutcome({ kind: "refused", answer });
  }

  #failed(error: BackendError): void {
    this.#candidate?.target.health.failed(error, this.#moment());
    this.#drop();
    this.#tryNext();
  }

  #drop(): void {
    this.#deps.wheel.cancel(this);
    this.#socket?.close();
    this.#socket = undefined;
    this.#second = undefined;
  }

  #moment() {
    return { wallMs: this.#deps.nowMs(), monotonicMs: this.#deps.monotonicMs() };
  }
}

/** No path of the internet takes less. */
const mtuMin = 400;

const refusalIds = new Set<number>([
  offlineIds.alreadyConnected,
  offlineIds.noFreeConnections,
  offlineIds.banned,
  offlineIds.incompatibleProtocol,
]);

/** Backends that are up, in the order of their groups' balancing, then those that are down. */
function candidatesOf({ chain }: CompiledShield, { ip }: Endpoint, nowMs: number): Candidate[] {
  const up: Candidate[] = [];
  const down: Candidate[] = [];
  for (const { id, balancing, backends, turns } of chain) {
    const taking = backends.filter(({ bedrock }) => bedrock !== undefined);
    const turn = balancing === "round_robin" && taking.length > 1 ? turns.nextTurn(id) : 0;
    for (const backend of backendOrder(balancing, taking, { ip, turn, random: Math.random() })) {
      const target = backend.bedrock;
      if (target === undefined) continue;
      const { isDown, unreachableAtMs } = target.health;
      if (!isDown) up.push({ backend, target });
      else if (nowMs - unreachableAtMs >= justFailedMs) down.push({ backend, target });
    }
  }
  return [...up, ...down];
}
