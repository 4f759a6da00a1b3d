/**
 * Which cookies were used up, shared by all workers of an edge: a table of fixed size whose slots
 * are each one 64-bit word (32 bits of the cookie's id, then the second it expires in), taken by
 * one compare-and-swap. Nothing can be left half-written.
 */

/** Slots searched for one cookie; if all of them hold living ones, it does not count as fresh. */
const probesMax = 16;

export class UsedCookies {
  readonly #slots: BigUint64Array;

  /** @param slots about as many cookies as can be alive at once, four times over */
  static allocate(slots: number): SharedArrayBuffer {
    return new SharedArrayBuffer(8 * Math.max(slots, probesMax));
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#slots = new BigUint64Array(buffer);
  }

  /**
   * True for at most one caller, on any thread, while the cookie lives. If two calls come at the
   * same moment, both may get false: the player is then verified again.
   *
   * @param id of `checkTransferCookie`
   */
  use(id: bigint, expiresAtMs: number, nowMs: number): boolean {
    const tag = id >> 32n;
    const word = (tag << 32n) | BigInt(Math.ceil(expiresAtMs / 1_000));
    const now = BigInt(Math.floor(nowMs / 1_000));
    const start = Number(id % BigInt(this.#slots.length));
    let taken = -1;
    for (let probe = 0; probe < probesMax; probe++) {
      const at = (start + probe) % this.#slots.length;
      const seen = Atomics.load(this.#slots, at);
      if (isAlive(seen, now)) {
        if (seen >> 32n === tag) return false;
      } else if (taken < 0) {
        // A slot lost to another thread is checked again: it may hold the same cookie.
        if (Atomics.compareExchange(this.#slots, at, seen, word) === seen) taken = at;
        else probe--;
      }
    }
    return taken >= 0 && this.#isOnlyOne(tag, start, taken, now);
  }

  /** Threads whose clocks differ may have taken different slots. */
  #isOnlyOne(tag: bigint, start: number, own: number, now: bigint): boolean {
    for (let probe = 0; probe < probesMax; probe++) {
      const at = (start + probe) % this.#slots.length;
      if (at === own) continue;
      const seen = Atomics.load(this.#slots, at);
      if (isAlive(seen, now) && seen >> 32n === tag) return false;
    }
    return true;
  }
}

function isAlive(word: bigint, nowSeconds: bigint): boolean {
  return (word & 0xffff_ffffn) > nowSeconds;
}
