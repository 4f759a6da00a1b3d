import { randomBytes } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { FdBudget } from "#src/forwarding/fd-budget.ts";
import { ipOfSocketAddress } from "#src/forwarding/peer.ts";
import { EdgeGauges } from "#src/protection/shared/edge-gauges.ts";
import { type Cells, CountMinSketch } from "#src/protection/shared/count-min-sketch.ts";
import { asRing, link, type Linked, unlink } from "#src/session/ring.ts";
import type { ShedReason } from "#src/telemetry/outcomes.ts";
import type { EdgeLimits } from "./limits.ts";

/** A connection without a verdict, which may have to make room. */
export interface Sheddable {
  shed(reason: ShedReason): void;
  /** The edge is stopping: ends what no backend has taken. */
  stop(): void;
  /** Admission's own. */
  seat?: Seat | undefined;
}

/** A place among those without a verdict; linked until it is given up. */
interface Seat extends Linked<Seat> {
  readonly session: Sheddable | undefined;
  readonly source: Source | undefined;
  hasPassed: boolean;
}

/** Where connections come from, as every thread counts it. */
export interface Source extends Cells {
  readonly key: string;
}

/** What is counted of a source: connections, players too, and of them those without a verdict. */
const open = 0;
const pending = 1;

/** Of the edge as a whole, whose threads keep its limits together. */
export interface AdmissionShare {
  readonly sources: CountMinSketch;
  readonly gauges: EdgeGauges;
  /** Threads that take players. */
  readonly shares: number;
}

/**
 * Who may stay while there is not room for everybody. Players who were let in are never touched. Of
 * the others the oldest go first, since a real client is through within a round trip; those on their
 * way to a backend only where nobody else is left, or where they hold more than half of the room.
 *
 * What one source may have is counted by all threads together. Of the room for connections without a
 * verdict each has an equal part, since only those of its own can make room: the kernel spreads them
 * evenly, and nobody chooses his thread. Descriptors are of one budget; a thread without anybody to
 * shed refuses the newcomer where that is used up.
 */
export class Admission {
  readonly #limits: EdgeLimits;
  readonly #fds: FdBudget;
  readonly #sources: CountMinSketch;
  readonly #gauges: EdgeGauges;
  readonly #pendingMax: number;
  /**
   * Those of whom nothing is known yet, oldest first, as a ring. A Map from which each connection is
   * taken again would now and then be made anew, and the one before, once it is in the old
   * generation, keeps alive whoever was in it, sockets and all, until the next full collection.
   */
  readonly #unknown = emptyRing();
  /** Those on their way to a backend. */
  readonly #passed = emptyRing();
  #pendingHere = 0;
  #passedHere = 0;
  /** Counted for a connection that `admits` let in and that has still to `enter`. */
  #promised: Source | undefined;

  constructor(
    limits: EdgeLimits,
    fds: FdBudget,
    { sources, gauges, shares }: AdmissionShare = alone(),
  ) {
    this.#limits = limits;
    this.#fds = fds;
    this.#sources = sources;
    this.#gauges = gauges;
    this.#pendingMax = Math.max(1, Math.floor(limits.pendingMax / shares));
  }

  /** Of all threads. */
  get pending(): number {
    return this.#gauges.total("pending");
  }

  /**
   * Whether a new connection may come in; makes room for it where that is needed. Whoever may is
   * counted, and has to `enter` before the next one asks.
   *
   * @param key of `sourceKey`
   */
  admits(key: string): ShedReason | undefined {
    this.#takeBackPromise();
    const { openPerIpMax, pendingPerIpMax } = this.#limits;
    const source = this.#sourceOf(key);
    if (!this.#sources.tryUp(source, pending, pendingPerIpMax)) return "shed_ip";
    if (!this.#sources.tryUp(source, open, openPerIpMax)) {
      this.#sources.down(source, pending);
      return "shed_ip";
    }
    this.#promised = source;
    const refused = this.admitsUnnamed();
    if (refused !== undefined) this.#takeBackPromise();
    return refused;
  }

  /** As `admits`, for a connection whose source is still to be told by a trusted proxy. */
  admitsUnnamed(): ShedReason | undefined {
    if (this.#pendingHere >= this.#pendingMax) this.#shedOldest("shed_pending");
    if (this.#fds.isTight && !this.#shedOldest("shed_files")) return "shed_files";
    return undefined;
  }

  /** @returns what its other calls take */
  enter(session: Sheddable, key: string): Source {
    this.#fds.take();
    const source = this.#takePromise(key) ?? this.#countIn(key);
    session.seat = { session, source, hasPassed: false, previous: undefined, next: undefined };
    link(session.seat, this.#unknown);
    this.#pendingHere++;
    this.#gauges.add("pending", 1);
    return source;
  }

  /** Has answered what no bot need answer: now the last of the unknown to make room. */
  answered(session: Sheddable): void {
    const { seat } = session;
    if (seat?.hasPassed === false && unlink(seat)) link(seat, this.#unknown);
  }

  /** Login verdict passed: makes room after those who have none. */
  passed(session: Sheddable): void {
    const { seat } = session;
    if (seat?.hasPassed !== false || !unlink(seat)) return;
    seat.hasPassed = true;
    this.#passedHere++;
    link(seat, this.#passed);
  }

  /** Is a player now. */
  settle(session: Sheddable, source: Source): void {
    const { seat } = session;
    if (seat === undefined || !unlink(seat)) return;
    session.seat = undefined;
    if (seat.hasPassed) this.#passedHere--;
    this.#pendingHere--;
    this.#gauges.add("pending", -1);
    this.#sources.down(source, pending);
  }

  leave(session: Sheddable, source: Source): void {
    this.settle(session, source);
    this.playerLeft(source);
  }

  /** Was settled, and is gone. */
  playerLeft(source: Source): void {
    this.#fds.release();
    this.disown(source);
  }

  /** A player whom a relay process has kept while this one was not there: no descriptor of ours. */
  adopt(key: string): Source {
    const source = this.#sourceOf(key);
    this.#sources.up(source, open);
    return source;
  }

  /** One adopted has left. */
  disown(source: Source): void {
    this.#sources.down(source, open);
  }

  /** Every connection without a verdict ends, or becomes a relay's. */
  stop(): void {
    const all: Sheddable[] = [];
    for (const ring of [this.#unknown, this.#passed]) {
      for (let seat = ring.next; seat?.session !== undefined; seat = seat.next) {
        all.push(seat.session);
      }
    }
    for (const session of all) session.stop();
  }

  #sourceOf(key: string): Source {
    const { first, second } = this.#sources.cellsOf(0, key);
    return { key, first, second };
  }

  #countIn(key: string): Source {
    const source = this.#sourceOf(key);
    this.#sources.up(source, pending);
    this.#sources.up(source, open);
    return source;
  }

  #takePromise(key: string): Source | undefined {
    const promised = this.#promised;
    if (promised?.key !== key) return undefined;
    this.#promised = undefined;
    return promised;
  }

  #takeBackPromise(): void {
    const promised = this.#promised;
    if (promised === undefined) return;
    this.#promised = undefined;
    this.#sources.down(promised, pending);
    this.#sources.down(promised, open);
  }

  #shedOldest(reason: ShedReason): boolean {
    const { session: oldest, source } = this.#oldest();
    if (oldest === undefined || source === undefined) return false;
    // At once: its socket closes later, and another connection may come before.
    this.settle(oldest, source);
    oldest.shed(reason);
    return true;
  }

  #oldest(): Seat {
    // Or bots that only wait at a backend would leave newcomers no time for a round trip.
    const isHalf = this.#passedHere > this.#pendingMax / 2;
    const isAlone = this.#unknown.next === this.#unknown;
    const ring = isHalf || isAlone ? this.#passed : this.#unknown;
    return ring.next ?? ring;
  }
}

function emptyRing(): Seat {
  const nobody = { session: undefined, source: undefined, hasPassed: false };
  return asRing<Seat>({ ...nobody, previous: undefined, next: undefined });
}

function alone(): AdmissionShare {
  const sources = CountMinSketch.allocate({ columns: 1, seed: randomBytes(8) });
  return {
    sources: new CountMinSketch(sources, 0),
    gauges: new EdgeGauges(EdgeGauges.allocate(1), 0),
    shares: 1,
  };
}

/** What connections of one customer line have in common: the IPv4 address, or the IPv6 /64. */
export function sourceKey(remoteAddress: string): string {
  if (!remoteAddress.includes(":")) return remoteAddress;
  return sourceKeyOf(ipOfSocketAddress(remoteAddress));
}

export function sourceKeyOf(ip: IpBytes): string {
  return ip.length === 4 ? ip.join(".") : Buffer.from(ip.subarray(0, 8)).toString("hex");
}
