import { randomInt } from "node:crypto";
import { SocketAddresses } from "@palisade/sockets/socket-address";

const seedsMax = 2 ** 31;

/**
 * The sessions of a UDP relay by the address of their client: numbers from 0, each with a descriptor.
 * It allocates nothing for a datagram. Sessions are not removed.
 */
export class SessionTable {
  /** The client of each session. */
  readonly clients: SocketAddresses;
  readonly #sessionsMax: number;
  readonly #descriptors: Int32Array;
  /** The turn in which the backend's datagrams were last read. */
  readonly #readAtTurn: Uint32Array;
  /** Open addressing: the session's number + 1, or 0. */
  readonly #index: Int32Array;
  readonly #mask: number;
  readonly #seed = randomInt(seedsMax);
  #count = 0;

  constructor(sessionsMax: number) {
    this.#sessionsMax = sessionsMax;
    this.clients = new SocketAddresses(sessionsMax);
    this.#descriptors = new Int32Array(sessionsMax);
    this.#readAtTurn = new Uint32Array(sessionsMax);
    // At least half of the index stays free, so that searches are short.
    const size = 2 ** Math.ceil(Math.log2(2 * sessionsMax));
    this.#index = new Int32Array(size);
    this.#mask = size - 1;
  }

  get isFull(): boolean {
    return this.#count === this.#sessionsMax;
  }

  /** The socket of a session. */
  descriptor(session: number): number {
    return this.#descriptors[session] ?? -1;
  }

  /** Notes that the session is read in this turn. @returns whether it was in the one before */
  wasReadBefore(session: number, turn: number): boolean {
    const before = this.#readAtTurn[session];
    this.#readAtTurn[session] = turn;
    return before === turn - 1;
  }

  /** @returns the session of the client whose address is in `entry`, or -1 */
  find(addresses: SocketAddresses, entry: number): number {
    return (this.#index[this.#place(addresses, entry)] ?? 0) - 1;
  }

  /** @returns the number of a new session. @throws RangeError if the table is full */
  add(addresses: SocketAddresses, entry: number, descriptor: number): number {
    if (this.isFull) throw new RangeError(`${this.#count} sessions are open`);
    const session = this.#count++;
    this.clients.copyFrom(addresses, entry, session);
    this.#descriptors[session] = descriptor;
    this.#index[this.#place(addresses, entry)] = session + 1;
    return session;
  }

  /** The place of the address in the index, or the free place for it. */
  #place(addresses: SocketAddresses, entry: number): number {
    let place = addresses.hash(entry, this.#seed) & this.#mask;
    for (;;) {
      const session = (this.#index[place] ?? 0) - 1;
      if (session === -1 || this.clients.isSame(session, addresses, entry)) return place;
      place = (place + 1) & this.#mask;
    }
  }
}
