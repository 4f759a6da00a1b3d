/** Stands for no seat. */
export const noSeat = -1;

/** Both ends of a list of seats. */
export interface SeatList {
  first: number;
  last: number;
}

/**
 * The seats of one shield's connections. Their number is limited, so that bots of one shield, or its
 * silent backend, leave room for the connections of all others.
 */
export class ShieldSeats {
  readonly id: string;
  /** Those that make room for others of the shield, oldest first. */
  readonly unknown = emptyList();
  /** Those that are being dialled, oldest first. */
  readonly passed = emptyList();
  size = 0;
  passedSize = 0;

  constructor(id: string) {
    this.id = id;
  }
}

/** A connection's seat, which it keeps until it has a verdict and has joined, or is gone. */
export interface Seated {
  /** `Seats` alone sets it. */
  seat: number;
}

const seatsFirst = 1_024;
/** Shields without a connection that are kept. */
const idleShieldsMax = 256;

/**
 * The connections of one thread that are without a verdict, or admitted and not yet joined: oldest
 * first, those of the edge and those of each shield. A seat is a number, and the lists are typed
 * arrays, so that a connection costs no object here. (A Map from which each connection is removed again
 * is rebuilt now and then; an old table in the old generation keeps its connections and their sockets
 * in memory until the next full collection.)
 */
export class Seats<Connection extends Seated> {
  /** Those that have no verdict. */
  readonly unknown = emptyList();
  /** Those that are being dialled. */
  readonly passed = emptyList();
  size = 0;
  passedSize = 0;
  readonly #connections: (Connection | undefined)[] = [];
  readonly #shields: (ShieldSeats | undefined)[] = [];
  readonly #free: number[] = [];
  #hasPassed = new Uint8Array(seatsFirst);
  readonly #ofEdge = new SeatLinks();
  readonly #ofShield = new SeatLinks();
  /** By id: those that have any, and some that had, which mostly soon have again. */
  readonly #byId = new Map<string, ShieldSeats>();
  /** Shields that have connections here. */
  shields = 0;

  /** Undefined where there is no such seat. */
  at(seat: number): Connection | undefined {
    return this.#connections[seat];
  }

  *[Symbol.iterator](): Generator<Connection> {
    for (const connection of this.#connections) if (connection !== undefined) yield connection;
  }

  enter(connection: Connection): void {
    const seat = this.#free.pop() ?? this.#connections.length;
    if (seat >= this.#hasPassed.length) this.#grow();
    this.#connections[seat] = connection;
    this.#shields[seat] = undefined;
    this.#hasPassed[seat] = 0;
    this.#ofEdge.append(this.unknown, seat);
    this.size++;
    connection.seat = seat;
  }

  /** False if it has no seat. */
  leave(connection: Connection): boolean {
    const { seat } = connection;
    if (seat === noSeat) return false;
    connection.seat = noSeat;
    this.#ofEdge.remove(this.#listOf(this, seat), seat);
    const shield = this.#shields[seat];
    if (shield !== undefined) {
      this.#ofShield.remove(this.#listOf(shield, seat), seat);
      if (--shield.size === 0) this.shields--;
    }
    if (this.hasPassed(seat)) this.#countPassed(shield, -1);
    this.#connections[seat] = undefined;
    this.#shields[seat] = undefined;
    this.#free.push(seat);
    this.size--;
    return true;
  }

  hasPassed(seat: number): boolean {
    return this.#hasPassed[seat] === 1;
  }

  /** Undefined until it has named one. */
  shieldOf(seat: number): ShieldSeats | undefined {
    return this.#shields[seat];
  }

  /** The shield's seats, of which it may have none yet. */
  ofShield(id: string): ShieldSeats {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    if (this.#byId.size - this.shields >= idleShieldsMax) this.#forgetIdle();
    const shield = new ShieldSeats(id);
    this.#byId.set(id, shield);
    return shield;
  }

  /** @param shield of `ofShield`, called right before */
  name(seat: number, shield: ShieldSeats): void {
    this.#shields[seat] = shield;
    this.#ofShield.append(shield.unknown, seat);
    if (shield.size++ === 0) this.shields++;
  }

  /** Among those that are being dialled, or among the others. */
  makeLast(seat: number, hasPassed: boolean): void {
    const shield = this.#shields[seat];
    const had = this.hasPassed(seat);
    this.#ofEdge.remove(this.#listOf(this, seat), seat);
    if (shield !== undefined) this.#ofShield.remove(this.#listOf(shield, seat), seat);
    this.#hasPassed[seat] = hasPassed ? 1 : 0;
    this.#ofEdge.append(this.#listOf(this, seat), seat);
    if (shield !== undefined) this.#ofShield.append(this.#listOf(shield, seat), seat);
    if (hasPassed !== had) this.#countPassed(shield, hasPassed ? 1 : -1);
  }

  /** The oldest that is being dialled, of the shield that has most of them. */
  oldestOfMostDialled(): number {
    let largest: ShieldSeats | undefined;
    for (const shield of this.#byId.values()) {
      if (shield.passedSize > (largest?.passedSize ?? 0)) largest = shield;
    }
    return largest?.passed.first ?? this.passed.first;
  }

  #listOf(of: Pick<ShieldSeats, "unknown" | "passed">, seat: number): SeatList {
    return this.hasPassed(seat) ? of.passed : of.unknown;
  }

  #countPassed(shield: ShieldSeats | undefined, by: 1 | -1): void {
    this.passedSize += by;
    if (shield !== undefined) shield.passedSize += by;
  }

  #forgetIdle(): void {
    for (const { id, size } of this.#byId.values()) if (size === 0) this.#byId.delete(id);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#hasPassed.length * 2);
    larger.set(this.#hasPassed);
    this.#hasPassed = larger;
    this.#ofEdge.grow();
    this.#ofShield.grow();
  }
}

/** The neighbours of seats in doubly linked lists; a seat is in one list at most. */
export class SeatLinks {
  #next = new Int32Array(seatsFirst);
  #previous = new Int32Array(seatsFirst);

  /** Seats that there is room for. */
  get size(): number {
    return this.#next.length;
  }

  append(list: SeatList, seat: number): void {
    this.#previous[seat] = list.last;
    this.#next[seat] = noSeat;
    if (list.last === noSeat) list.first = seat;
    else this.#next[list.last] = seat;
    list.last = seat;
  }

  /** From the list that it is in. */
  remove(list: SeatList, seat: number): void {
    const previous = this.#previous[seat] ?? noSeat;
    const next = this.#next[seat] ?? noSeat;
    if (previous === noSeat) list.first = next;
    else this.#next[previous] = next;
    if (next === noSeat) list.last = previous;
    else this.#previous[next] = previous;
  }

  grow(): void {
    this.#next = twice(this.#next);
    this.#previous = twice(this.#previous);
  }
}

function twice(words: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(words.length * 2);
  larger.set(words);
  return larger;
}

export function emptyList(): SeatList {
  return { first: noSeat, last: noSeat };
}
