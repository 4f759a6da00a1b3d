import {
  type ProxiedEnds,
  readProxyHeader,
} from "@palisade/minecraft-protocol/proxy/read-proxy-header";
import { ipOfText } from "#src/admission/peer.ts";
import type { Connection, ConnectionListener } from "@palisade/sockets/tcp-connection";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import type { AddressSet } from "@palisade/login-rules/address-set";
import type { Outcome, OutcomeCounts, ShedReason } from "#src/telemetry/outcomes.ts";
import {
  type Admission,
  type Sheddable,
  type Source,
  sourceKey,
  sourceKeyOf,
} from "./admission.ts";
import type { EdgeLimits } from "./limits.ts";
import { noSeat } from "./seats.ts";

/** The parts of the edge that every connection needs. */
export interface LifeDeps {
  readonly limits: EdgeLimits;
  readonly wheel: TimerWheel;
  readonly admission: Admission;
  readonly outcomes: OutcomeCounts;
}

/**
 * A connection from its acceptance to its end: its place in the admission, its deadline, and its one
 * outcome. Subclasses say what its events mean.
 */
export abstract class EdgeConnection<Deps extends LifeDeps = LifeDeps>
  implements ConnectionListener, Sheddable, Expiring
{
  readonly socket: Connection;
  readonly deps: Deps;
  place: Expiring["place"] = undefined;
  seat = noSeat;
  source: Sheddable["source"] = undefined;
  #outcome: Outcome | undefined;
  #isGone = false;

  constructor(socket: Connection, key: string, deps: Deps) {
    this.socket = socket;
    this.deps = deps;
    deps.admission.enter(this, key);
    socket.listen(this);
    this.deadline(deps.limits.handshakeMs);
  }

  abstract received(chunk: Buffer): void;
  abstract ended(): void;
  abstract expire(): void;

  shed(reason: ShedReason): void {
    this.drop(reason);
  }

  stop(): void {
    this.drop("stopped");
  }

  /** Sets the deadline, in place of the one before. */
  deadline(ms: number): void {
    this.deps.wheel.schedule(this, ms);
  }

  /** Undefined while it is open. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Counts the outcome; the first one stands. */
  finish(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.deps.outcomes.count(outcome, this.source?.key);
  }

  /** Closes at once, without an answer. */
  drop(outcome: Outcome): false {
    this.finish(outcome);
    this.socket.destroy();
    return false;
  }

  /** The socket is closed. */
  closed(): void {
    if (this.#isGone) return;
    this.finish("left");
    this.handOn();
  }

  /** Another part takes the connection from here, with a deadline of its own. */
  handOn(): void {
    this.#isGone = true;
    this.deps.wheel.cancel(this);
    this.deps.admission.leave(this);
  }

  /**
   * Gives the socket to a relay, whose end is the connection's.
   *
   * @returns to be told then; it keeps nothing of the connection, which another process may have
   */
  becomePlayer(): SettledPlayer {
    this.#isGone = true;
    this.finish("forwarded");
    this.socket.pause();
    this.socket.listen(undefined);
    this.deps.wheel.cancel(this);
    const { admission } = this.deps;
    return new SettledPlayer(admission.settle(this), admission);
  }
}

/** A player's place among those of their source: one object for as long as they stay. */
export class SettledPlayer {
  readonly #source: Source | undefined;
  readonly #admission: Admission;

  constructor(source: Source | undefined, admission: Admission) {
    this.#source = source;
    this.#admission = admission;
  }

  onClosed(): void {
    this.#admission.playerLeft(this.#source);
  }
}

/** @param connection its number since the edge started */
export type Begin = (socket: Connection, sourceKey: string, connection: number) => void;

/**
 * Every accepted connection passes here, on any port: finds its source and decides whether it may
 * stay.
 */
export class Ingress {
  readonly #deps: LifeDeps;
  readonly #trusted: AddressSet;
  readonly #isBanned: (sourceKey: string) => boolean;
  #connections = 0;

  /**
   * @param trusted proxies that must name the source of each connection
   * @param isBanned whether a source is banned from the edge
   */
  constructor(
    deps: LifeDeps,
    trusted: AddressSet,
    isBanned: (sourceKey: string) => boolean = () => false,
  ) {
    this.#deps = deps;
    this.#trusted = trusted;
    this.#isBanned = isBanned;
  }

  /** Takes the connections of one port, which begin so. */
  takerOf(begin: Begin): (socket: Connection) => void {
    return (socket) => this.take(socket, begin);
  }

  take(socket: Connection, begin: Begin): void {
    const { admission, outcomes } = this.#deps;
    outcomes.accepted++;
    const address = socket.remote.ip;
    if (this.#trusted.size === 0 || !this.#trusted.has(ipOfText(address))) {
      this.#admit(socket, sourceKey(address), begin);
      return;
    }
    const refused = admission.admitsUnnamed();
    if (refused !== undefined) {
      this.#shed(socket, refused);
      return;
    }
    void new ProxyHeaderReader(socket, this.#deps, (ends) => {
      socket.named = ends;
      const key = ends === undefined ? sourceKey(address) : sourceKeyOf(ends.source.ip);
      this.#admit(socket, key, begin);
    });
  }

  #admit(socket: Connection, key: string, begin: Begin): void {
    const refused = this.#isBanned(key) ? "shed_ban" : this.#deps.admission.admits(key);
    if (refused === undefined) begin(socket, key, ++this.#connections);
    else this.#shed(socket, refused, key);
  }

  #shed(socket: Connection, reason: ShedReason, key?: string): void {
    this.#deps.outcomes.count(reason, key);
    // A reset leaves no TIME_WAIT behind.
    socket.reset();
  }
}

/** Holds connections until a trusted proxy has named their source. */
const unnamedSource = "proxy";

/**
 * A connection from a trusted proxy, until its PROXY header has named the player. Bytes behind the
 * header stay in the socket.
 */
class ProxyHeaderReader extends EdgeConnection {
  readonly #onNamed: (ends: ProxiedEnds | undefined) => void;
  #head: Buffer = Buffer.alloc(0);

  constructor(
    socket: Connection,
    deps: LifeDeps,
    onNamed: (ends: ProxiedEnds | undefined) => void,
  ) {
    super(socket, unnamedSource, deps);
    this.#onNamed = onNamed;
    socket.resume();
  }

  received(chunk: Buffer): void {
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const result = readProxyHeader(this.#head);
    if (result.kind === "need-more") return;
    if (result.kind === "malformed") {
      this.drop("malformed");
      return;
    }
    this.socket.pause();
    this.socket.listen(undefined);
    this.handOn();
    this.socket.putBack(this.#head.subarray(result.length));
    this.#onNamed(result.ends);
  }

  ended(): void {
    this.drop("left");
  }

  expire(): void {
    this.drop("deadline");
  }
}
