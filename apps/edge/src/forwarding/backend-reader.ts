import type { OnReadOpts } from "node:net";

/**
 * One buffer for everything that is read without a stream: each read is copied on before the next.
 * A buffer for each connection would cost more than the rest of the connection.
 */
const incoming = Buffer.allocUnsafeSlow(64 * 1_024);

/** @returns false to stop reading until the socket's `resume` */
export type Taker = (bytes: Buffer) => boolean;

/** Passes the bytes of one socket to its consumer. */
export interface EndReader {
  /** Whether the bytes stay unchanged; otherwise they are valid only until the consumer returns. */
  readonly keeps: boolean;
  /** Becomes the consumer of all further bytes. The socket has to be resumed. */
  take(taker: Taker): void;
}

/** Reads a socket without its stream: no buffer and no event for each read. */
export class BackendReader implements EndReader {
  readonly keeps = false;
  /** For `connect`, or for a socket that is made of a handle. */
  readonly options: OnReadOpts;
  #taker: Taker | undefined;
  /** Bytes before there is a consumer: one read at most, then reading stops. */
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

  /** The bytes so far, if there is no consumer yet. */
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
