import { randomBytes } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import {
  type FdBudget,
  EdgeGauges,
  type Cells,
  CountMinSketch,
} from "@palisade/shared-tables/shared-counters";
import { ipOfText } from "#src/admission/peer.ts";
import type { ShedReason } from "#src/telemetry/outcomes.ts";
import type { EdgeLimits } from "./limits.ts";
import { noSeat, type Seated, Seats } from "./seats.ts";

/** A connection without a verdict, which may have to make room. */
export interface Sheddable extends Seated {
  shed(reason: ShedReason): void;
  /** The edge is stopping: ends what no backend has taken. */
  stop(): void;
  /** Admission's own. */
  source: Source | undefined;
}

/** The part of all room that the connections of one shield may take. */
const shieldPart = 0.75;
/** Its number where there is hardly any room at all. */
const halfOpenMin = 16;

/** A source of connections, as every thread counts it. */
export type Source = Cells;

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
  readonly #seats = new Seats<Sheddable>();
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
    if (this.#seats.size >= this.#pendingMax) this.#shedOldest("shed_pending");
    if (this.#fds.isTight && !this.#shedOldest("shed_files")) return "shed_files";
    return undefined;
  }

  enter(connection: Sheddable, key: string): void {
    this.#fds.take();
    connection.source = this.#takePromise(key) ?? this.#countIn(key);
    this.#seats.enter(connection);
    this.#gauges.add("pending", 1);
  }

  /**
   * The connection has named its shield. If the shield has as many half-open ones as it may have, the
   * oldest of those that may be closed makes room, and no other shield's.
   *
   * @param ofPlan half-open connections that the shield may have on this edge; null: the default
   * @returns false if all of them are being dialled: there is no room for this one
   */
  named({ seat }: Sheddable, shieldId: string, ofPlan: number | null): boolean {
    if (seat === noSeat || this.#seats.shieldOf(seat) !== undefined) return true;
    const max = Math.ceil(this.halfOpenMaxOf(ofPlan) / this.#shares);
    const shield = this.#seats.ofShield(shieldId);
    if (shield.size >= max && !this.#shed(shield.unknown.first, "shed_shield")) return false;
    this.#seats.name(seat, shield);
    return true;
  }

  /** Shields that have half-open connections in this thread. */
  get shieldsHalfOpen(): number {
    return this.#seats.shields;
  }

  /** Half-open connections that a shield may have in all threads. */
  halfOpenMaxOf(ofPlan: number | null): number {
    return Math.min(ofPlan ?? this.#limits.halfOpenPerShieldMax, this.#halfOpenMax);
  }

  /**
   * The client has given an answer that bots rarely give: it is now the last without a verdict to
   * make room.
   */
  answered({ seat }: Sheddable): void {
    if (seat !== noSeat && !this.#seats.hasPassed(seat)) this.#seats.makeLast(seat, false);
  }

  /** Login verdict passed: makes room after those who have none, until it `waits`. */
  passed({ seat }: Sheddable): void {
    if (seat !== noSeat && !this.#seats.hasPassed(seat)) this.#seats.makeLast(seat, true);
  }

  /**
   * Its dial is over, and the client has the next word: makes room like those without a verdict, as
   * the last of them.
   */
  waits({ seat }: Sheddable): void {
    if (seat !== noSeat && this.#seats.hasPassed(seat)) this.#seats.makeLast(seat, false);
  }

  /**
   * The connection is a player's now.
   *
   * @returns to be given to `playerLeft`; it keeps nothing of the connection
   */
  settle(connection: Sheddable): Source | undefined {
    const { source } = connection;
    if (source === undefined || !this.#seats.leave(connection)) return source;
    this.#gauges.add("pending", -1);
    this.#sources.down(source, pending);
    return source;
  }

  leave(connection: Sheddable): void {
    this.playerLeft(this.settle(connection));
    connection.source = undefined;
  }

  /** The connection had its verdict, and is gone. */
  playerLeft(source: Source | undefined): void {
    if (source === undefined) return;
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

  /**
   * A player who comes by datagrams, which take no descriptor here and no decision.
   *
   * @param key of `sourceKey`
   * @returns undefined if the source has as many connections as it may
   */
  tryAdopt(key: string): Source | undefined {
    const source = this.#sourceOf(key);
    return this.#sources.tryUp(source, open, this.#limits.openPerIpMax) ? source : undefined;
  }

  /** One adopted has left. */
  disown(source: Source): void {
    this.#sources.down(source, open);
  }

  /** Every connection without a verdict ends, or becomes a relay's. */
  stop(): void {
    for (const connection of this.#seats) connection.stop();
  }

  #sourceOf(key: string): Source {
    return this.#sources.cellsOf(0, key);
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
    return this.#shed(this.#oldest(), reason);
  }

  #shed(seat: number, reason: ShedReason): boolean {
    const oldest = this.#seats.at(seat);
    if (oldest === undefined) return false;
    // Done at once: the socket closes later, and another connection may come before.
    this.settle(oldest);
    oldest.shed(reason);
    return true;
  }

  #oldest(): number {
    const { unknown, passedSize } = this.#seats;
    // Otherwise bots that only wait at a backend would leave new connections no time for a round
    // trip.
    const isHalf = passedSize > this.#pendingMax / 2;
    return isHalf || unknown.first === noSeat ? this.#seats.oldestOfMostDialled() : unknown.first;
  }
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
