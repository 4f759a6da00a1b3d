import type { OnReadOpts } from "node:net";

/**
 * Where everything that players' backends send comes in: passed on, by copy, before anything else
 * is read. A buffer of each connection's own would cost more than the rest of it.
 */
const incoming = Buffer.allocUnsafeSlow(64 * 1_024);

/** @returns false to stop reading until the socket's `resume` */
export type Taker = (bytes: Buffer) => boolean;

/** Takes what one backend sends, without the socket's stream: no buffer and no event for each read. */
export class BackendReader {
  /** For `connect`. */
  readonly options: OnReadOpts;
  #taker: Taker | undefined;
  /** What came before anybody took it: one read at most, then reading stops. */
  #early: Buffer | undefined;

  constructor() {
    this.options = {
      buffer: incoming,
      callback: (length) => this.#received(incoming.subarray(0, length)),
    };
  }

  /**
   * Takes over what comes from now on. The socket is to be resumed.
   *
   * @param taker the bytes it is given hold only until it returns
   */
  take(taker: Taker): void {
    this.#taker = taker;
    const early = this.#early;
    this.#early = undefined;
    if (early !== undefined) taker(early);
  }

  #received(bytes: Buffer): boolean {
    if (this.#taker !== undefined) return this.#taker(bytes);
    this.#early = Buffer.from(bytes);
    return false;
  }
}
