import type { OnReadOpts } from "node:net";

/**
 * Where everything that is read without a stream comes in: passed on, by copy, before anything
 * else is read. A buffer of each connection's own would cost more than the rest of it.
 */
const incoming = Buffer.allocUnsafeSlow(64 * 1_024);

/** @returns false to stop reading until the socket's `resume` */
export type Taker = (bytes: Buffer) => boolean;

/** Gives what one socket reads to whoever takes it. */
export interface EndReader {
  /** Whether the bytes stay as they are; otherwise they hold only until the taker returns. */
  readonly keeps: boolean;
  /** Takes over what comes from now on. The socket is to be resumed. */
  take(taker: Taker): void;
}

/** Takes what a socket reads without its stream: no buffer and no event for each read. */
export class BackendReader implements EndReader {
  readonly keeps = false;
  /** For `connect`, or for a socket that is made of a handle. */
  readonly options: OnReadOpts;
  #taker: Taker | undefined;
  /** What came before anybody took it: one read at most, then reading stops. */
  #early: Buffer | undefined;

  /** @param early read elsewhere already */
  constructor(early?: Buffer) {
    if (early !== undefined && early.length > 0) this.#early = early;
    this.options = {
      buffer: incoming,
      callback: (length) => this.#received(incoming.subarray(0, length)),
    };
  }

  take(taker: Taker): void {
    this.#taker = taker;
    const early = this.takeEarly();
    if (early !== undefined) taker(early);
  }

  /** What came so far, where nobody has taken anything. */
  takeEarly(): Buffer | undefined {
    const early = this.#early;
    this.#early = undefined;
    return early;
  }

  #received(bytes: Buffer): boolean {
    if (this.#taker !== undefined) return this.#taker(bytes);
    this.#early = Buffer.from(bytes);
    return false;
  }
}
