import {
  full,
  SharedHashTable,
  type TableLayout,
  refuseWhenFull,
  timeLeft,
} from "#src/rules/shared/shared-hash-table.ts";

/** Two cache lines: if all slots hold living cookies, another one does not count as fresh. */
const layout: TableLayout = { reach: 16 };
const secondMs = 1_000;

/**
 * Which cookies were used up, shared by all workers of an edge. The first half of a cookie's id is
 * its tag, the state is the second in which it expires. A living cookie is never forgotten.
 */
export class UsedCookies {
  readonly #table: SharedHashTable;
  readonly #key = { high: 0, low: 0 };
  /** Splits an id into its halves. */
  readonly #id = new BigUint64Array(1);
  readonly #halves = new Int32Array(this.#id.buffer);

  /** @param slots a power of two; about as many cookies as can be alive at once, four times over */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#table = new SharedHashTable(buffer, layout, refuseWhenFull(timeLeft()));
  }

  /**
   * True for at most one caller, on any thread, while the cookie lives. If two calls come at the
   * same moment, both may get false: the player is then verified again.
   *
   * @param id of `checkTransferCookie`
   */
  use(id: bigint, expiresAtMs: number, nowMs: number): boolean {
    const now = Math.floor(nowMs / secondMs);
    const slot = this.#take(id, Math.ceil(expiresAtMs / secondMs) | 0, now);
    // Threads whose clocks differ may have taken different slots.
    return slot >= 0 && !this.#table.hasAnother(slot, this.#key, now);
  }

  /** The cookie's slot; negative if it is used up, or there is no room. */
  #take(id: bigint, until: number, now: number): number {
    this.#id[0] = id;
    this.#key.high = this.#halves[1] ?? 0;
    this.#key.low = this.#halves[0] ?? 0;
    for (;;) {
      const slot = this.#table.find(this.#key);
      if (slot < 0) {
        const taken = this.#table.insert(this.#key, until, now);
        if (taken >= 0 || taken === full) return taken;
        continue;
      }
      const state = this.#table.read(slot, this.#key);
      if (state === undefined) continue;
      if (this.#table.worthOf(state, now, slot) > 0) return full;
      if (this.#table.replace(slot, state, until)) return slot;
    }
  }
}
