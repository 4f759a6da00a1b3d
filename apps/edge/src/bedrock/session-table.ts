import { randomInt } from "node:crypto";
import { SocketAddresses } from "@palisade/sockets/socket-address";

const firstCapacity = 64;
/** Filled at most by half, so that a search is short. */
const spread = 2;

/**
 * Sessions by the address of their client: an open hash table whose keys stay in native memory, so
 * that a datagram is matched without an object for its address.
 */
export class SessionTable<Session> {
  readonly #seed = randomInt(2 ** 32);
  /** Addresses by the session's number. */
  addresses = new SocketAddresses(firstCapacity);
  #sessions: (Session | undefined)[] = [];
  readonly #free: number[] = [];
  /** The number of a session plus one; 0: none. */
  #places = new Int32Array(firstCapacity * spread);
  #capacity = firstCapacity;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  *values(): Generator<Session> {
    for (const session of this.#sessions) if (session !== undefined) yield session;
  }

  /** @returns the number of the session, or -1 */
  find(addresses: SocketAddresses, entry: number): number {
    const mask = this.#places.length - 1;
    for (let place = addresses.hash(entry, this.#seed) & mask; ; place = (place + 1) & mask) {
      const number = (this.#places[place] ?? 0) - 1;
      if (number < 0 || addresses.isSame(entry, this.addresses, number)) return number;
    }
  }

  at(number: number): Session | undefined {
    return this.#sessions[number];
  }

  /** Numbers stay the same until `remove`. The address must not be in the table. */
  add(addresses: SocketAddresses, entry: number, create: (number: number) => Session): Session {
    if (this.#size === this.#capacity) this.#grow();
    const number = this.#free.pop() ?? this.#size;
    this.addresses.copyFrom(addresses, entry, number);
    this.#insert(number);
    this.#size += 1;
    const session = create(number);
    this.#sessions[number] = session;
    return session;
  }

  remove(number: number): void {
    const mask = this.#places.length - 1;
    let place = this.#placeOf(number);
    if (place < 0) return;
    this.#places[place] = 0;
    this.#sessions[number] = undefined;
    this.#free.push(number);
    this.#size -= 1;
    // Those behind it move up, or a search would stop at the gap.
    for (let next = (place + 1) & mask; ; next = (next + 1) & mask) {
      const other = (this.#places[next] ?? 0) - 1;
      if (other < 0) return;
      const home = this.addresses.hash(other, this.#seed) & mask;
      if (((next - home) & mask) < ((next - place) & mask)) continue;
      this.#places[place] = other + 1;
      this.#places[next] = 0;
      place = next;
    }
  }

  #placeOf(number: number): number {
    const mask = this.#places.length - 1;
    if (this.#sessions[number] === undefined) return -1;
    for (let place = this.addresses.hash(number, this.#seed) & mask; ; place = (place + 1) & mask) {
      const at = this.#places[place] ?? 0;
      if (at === number + 1) return place;
      if (at === 0) return -1;
    }
  }

  #insert(number: number): void {
    const mask = this.#places.length - 1;
    let place = this.addresses.hash(number, this.#seed) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = number + 1;
  }

  #grow(): void {
    const before = this.addresses;
    this.addresses = new SocketAddresses(this.#capacity * 2);
    for (let number = 0; number < this.#capacity; number += 1) {
      this.addresses.copyFrom(before, number, number);
    }
    before.free();
    this.#capacity *= 2;
    this.#places = new Int32Array(this.#capacity * spread);
    this.#sessions.forEach((session, number) => {
      if (session !== undefined) this.#insert(number);
    });
  }

  /** Nothing may use the table afterwards. */
  free(): void {
    this.addresses.free();
  }
}
