import { randomBytes } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import {
  type FdBudget,
  EdgeGauges,
  type Cells,
  CountMinSketch,
} from "#src/rules/shared/shared-counters.ts";
import { ipOfText } from "#src/reactor/peer.ts";
import { asList, link, type Linked, unlink } from "#src/reactor/linked-list.ts";
import type { ShedReason } from "#src/telemetry/outcomes.ts";
import type { EdgeLimits } from "./limits.ts";
import { type ShieldPlace, ShieldSeats } from "./shield-seats.ts";

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
  readonly connection: Sheddable | undefined;
  readonly source: Source | undefined;
  hasPassed: boolean;
  /** Once the shield is known. */
  shield: ShieldSeats<Seat> | undefined;
  inShield: ShieldPlace<Seat> | undefined;
}

/** The part of all room that the connections of one shield may take. */
const shieldPart = 0.75;
/** Its number where there is hardly any room at all. */
const halfOpenMin = 16;

/** Sources of connections, as every thread counts them. */
export interface Source extends Cells {
  readonly key: string;
}

/** Counts of a source: all connections, players included, and those without a verdict. */
const open = 0;
const pending = 1;

/** Limits of the edge as a whole, which its threads keep together. */
export interface AdmissionShare {
  readonly sources: CountMinSketch;
  readonly gauges: EdgeGauges;
  /** Threads that take players. */
  readonly shares: number;
}

/**
 * Decides which connections stay while there is not room for all. Admitted players are never
 * closed. The oldest of the others are closed first, because a real client is done within a round
 * trip; those that are being dialled only if no other is left, or if they hold more than half of
 * the room, and then those of the shield that has most of them.
 *
 * All threads count the connections of one source together. Each thread has an equal share of the
 * connections without a verdict, because it can close only its own: the kernel spreads them evenly,
 * and no client can choose its thread. File descriptors come from one budget; if it is used up, a
 * thread that has no connection to close refuses the new one.
 */
export class Admission {
  readonly #limits: EdgeLimits;
  readonly #fds: FdBudget;
  readonly #sources: CountMinSketch;
  readonly #gauges: EdgeGauges;
  readonly #pendingMax: number;
  readonly #shares: number;
  /** For all threads, whatever a plan says. */
  readonly #halfOpenMax: number;
  /**
   * Connections without a verdict, oldest first, as a linked list. A Map from which each connection is
   * removed again would be rebuilt now and then, and the old table, once it is in the old
   * generation, keeps its connections and their sockets in memory until the next full collection.
   */
  readonly #unknown = emptyRing();
  /** Connections that are being dialled. */
  readonly #passed = emptyRing();
  /** By shield, of those that have any. */
  readonly #shields = new Map<string, ShieldSeats<Seat>>();
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
    this.#shares = shares;
    const room = Math.min(limits.pendingMax, fds.softMax);
    this.#halfOpenMax = Math.max(halfOpenMin, Math.floor(room * shieldPart));
  }

  /** The count over all threads. */
  get pending(): number {
    return this.#gauges.total("pending");
  }

  /**
   * Whether a new connection is accepted; makes room for it if needed. An accepted one is counted,
   * and must call `enter` before the next one asks.
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

  /** Like `admits`, for a connection whose source a trusted proxy has still to name. */
  admitsUnnamed(): ShedReason | undefined {
    if (this.#pendingHere >= this.#pendingMax) this.#shedOldest("shed_pending");
    if (this.#fds.isTight && !this.#shedOldest("shed_files")) return "shed_files";
    return undefined;
  }

  /** @returns what its other calls take */
  enter(connection: Sheddable, key: string): Source {
    this.#fds.take();
    const source = this.#takePromise(key) ?? this.#countIn(key);
    connection.seat = {
      connection,
      source,
      hasPassed: false,
      shield: undefined,
      inShield: undefined,
      previous: undefined,
      next: undefined,
    };
    link(connection.seat, this.#unknown);
    this.#pendingHere++;
    this.#gauges.add("pending", 1);
    return source;
  }

  /**
   * The connection has named its shield. If the shield has as many half-open ones as it may have, the
   * oldest of those that may be closed makes room, and no other shield's.
   *
   * @param ofPlan half-open connections that the shield may have on this edge; null: the default
   * @returns false if all of them are being dialled: there is no room for this one
   */
  named(connection: Sheddable, shieldId: string, ofPlan: number | null): boolean {
    const { seat } = connection;
    if (seat === undefined || seat.shield !== undefined) return true;
    const shield = this.#shields.get(shieldId) ?? new ShieldSeats(shieldId);
    const max = Math.ceil(this.halfOpenMaxOf(ofPlan) / this.#shares);
    const isFull = shield.size >= max;
    if (isFull && !this.#shed(shield.unknown.next?.seat, "shed_shield")) return false;
    seat.shield = shield;
    seat.inShield = { seat, previous: undefined, next: undefined };
    if (shield.size++ === 0) this.#shields.set(shieldId, shield);
    link(seat.inShield, shield.unknown);
    return true;
  }

  /** Shields that have half-open connections in this thread. */
  get shieldsHalfOpen(): number {
    return this.#shields.size;
  }

  /** Half-open connections that a shield may have in all threads. */
  halfOpenMaxOf(ofPlan: number | null): number {
    return Math.min(ofPlan ?? this.#limits.halfOpenPerShieldMax, this.#halfOpenMax);
  }

  /**
   * The client has given an answer that bots rarely give: it is now the last without a verdict to
   * make room.
   */
  answered(connection: Sheddable): void {
    const { seat } = connection;
    if (seat?.hasPassed === false) this.#makeLast(seat, false);
  }

  /** Login verdict passed: makes room after those who have none, until it `waits`. */
  passed(connection: Sheddable): void {
    const { seat } = connection;
    if (seat?.hasPassed === false) this.#makeLast(seat, true);
  }

  /**
   * Its dial is over, and the client has the next word: makes room like those without a verdict, as
   * the last of them.
   */
  waits(connection: Sheddable): void {
    const { seat } = connection;
    if (seat?.hasPassed === true) this.#makeLast(seat, false);
  }

  /** The connection is a player's now. */
  settle(connection: Sheddable, source: Source): void {
    const { seat } = connection;
    if (seat === undefined || !unlink(seat)) return;
    connection.seat = undefined;
    if (seat.inShield !== undefined) unlink(seat.inShield);
    const { shield } = seat;
    if (seat.hasPassed) this.#countPassed(shield, -1);
    if (shield !== undefined && --shield.size === 0) this.#shields.delete(shield.shield);
    this.#pendingHere--;
    this.#gauges.add("pending", -1);
    this.#sources.down(source, pending);
  }

  leave(connection: Sheddable, source: Source): void {
    this.settle(connection, source);
    this.playerLeft(source);
  }

  /** The connection had its verdict, and is gone. */
  playerLeft(source: Source): void {
    this.#fds.release();
    this.disown(source);
  }

  /**
   * A player that a relay process kept while this edge was not running; their sockets are not ours.
   */
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
    for (const list of [this.#unknown, this.#passed]) {
      for (let seat = list.next; seat?.connection !== undefined; seat = seat.next) {
        all.push(seat.connection);
      }
    }
    for (const connection of all) connection.stop();
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

  /** Among those that have passed, or among the others. */
  #makeLast(seat: Seat, hasPassed: boolean): void {
    const { shield, inShield } = seat;
    if (!unlink(seat)) return;
    link(seat, hasPassed ? this.#passed : this.#unknown);
    if (shield !== undefined && inShield !== undefined && unlink(inShield)) {
      link(inShield, hasPassed ? shield.passed : shield.unknown);
    }
    if (hasPassed !== seat.hasPassed) this.#countPassed(shield, hasPassed ? 1 : -1);
    seat.hasPassed = hasPassed;
  }

  #countPassed(shield: ShieldSeats<Seat> | undefined, by: 1 | -1): void {
    this.#passedHere += by;
    if (shield !== undefined) shield.passedSize += by;
  }

  #shedOldest(reason: ShedReason): boolean {
    return this.#shed(this.#oldest(), reason);
  }

  #shed(seat: Seat | undefined, reason: ShedReason): boolean {
    const { connection: oldest, source } = seat ?? {};
    if (oldest === undefined || source === undefined) return false;
    // Done at once: the socket closes later, and another connection may come before.
    this.settle(oldest, source);
    oldest.shed(reason);
    return true;
  }

  #oldest(): Seat {
    // Otherwise bots that only wait at a backend would leave new connections no time for a round
    // trip.
    const isHalf = this.#passedHere > this.#pendingMax / 2;
    const isAlone = this.#unknown.next === this.#unknown;
    if (isHalf || isAlone) return this.#oldestPassed();
    return this.#unknown.next ?? this.#unknown;
  }

  /** One of the shield that has most of them, so that no shield pays for the dials of another. */
  #oldestPassed(): Seat {
    let largest: ShieldSeats<Seat> | undefined;
    for (const shield of this.#shields.values()) {
      if (shield.passedSize > (largest?.passedSize ?? 0)) largest = shield;
    }
    return largest?.passed.next?.seat ?? this.#passed.next ?? this.#passed;
  }
}

function emptyRing(): Seat {
  const noConnection = { connection: undefined, source: undefined, hasPassed: false };
  const noShield = { shield: undefined, inShield: undefined };
  return asList<Seat>({ ...noConnection, ...noShield, previous: undefined, next: undefined });
}

function alone(): AdmissionShare {
  const sources = CountMinSketch.allocate({ columns: 1, seed: randomBytes(8) });
  return {
    sources: new CountMinSketch(sources, 0),
    gauges: new EdgeGauges(EdgeGauges.allocate(1), 0),
    shares: 1,
  };
}

/** The key that connections of one customer line share: the IPv4 address, or the IPv6 /64. */
export function sourceKey(remoteAddress: string): string {
  if (!remoteAddress.includes(":")) return remoteAddress;
  return sourceKeyOf(ipOfText(remoteAddress));
}

export function sourceKeyOf(ip: IpBytes): string {
  return ip.length === 4 ? ip.join(".") : Buffer.from(ip.subarray(0, 8)).toString("hex");
}
