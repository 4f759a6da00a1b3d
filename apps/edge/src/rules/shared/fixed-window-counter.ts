import type { Key } from "./seeded-hash.ts";
import { SharedHashTable, type TableLayout } from "./shared-hash-table.ts";

const countBits = 12;
const countMax = (1 << countBits) - 1;
const windows = 2 ** (32 - countBits) - 1;
/** One cache line. */
const layout: TableLayout = { reach: 8 };

/**
 * Counts in windows of time, exact over all threads: no more hits of one key than the limit get
 * through in a window.
 *
 * If more keys are busy at once than a bucket holds, the one with the fewest hits starts anew:
 * under a flood from everywhere, single sources are let through rather than refused.
 */
export class FixedWindowCounter {
  readonly #table: SharedHashTable;
  readonly #windowMs: number;

  /** @param slots a power of two */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer, windowMs: number) {
    this.#table = new SharedHashTable(buffer, layout, countIn);
    this.#windowMs = windowMs;
  }

  /** Hits of the running window. */
  count(key: Key, nowMs: number): number {
    return this.#table.worth(key, this.#windowAt(nowMs));
  }

  /**
   * Counts a hit. False if the limit is reached, and nothing was counted.
   *
   * @param limit at least 1, at most 4,095
   */
  hit(key: Key, nowMs: number, limit: number): boolean {
    const window = this.#windowAt(nowMs);
    for (;;) {
      const slot = this.#table.find(key);
      if (slot < 0) {
        if (this.#table.insert(key, (window << countBits) | 1, window) >= 0) return true;
        continue;
      }
      const state = this.#table.read(slot, key);
      if (state === undefined) continue;
      const count = countIn(state, window);
      if (count >= Math.min(limit, countMax)) return false;
      // A window that another thread has begun already stays the one that counts.
      const next = count > 0 ? state + 1 : (window << countBits) | 1;
      if (this.#table.replace(slot, state, next)) return true;
    }
  }

  /** Windows count from 1, so that a state of 0 is out of date. */
  #windowAt(nowMs: number): number {
    return (Math.floor(nowMs / this.#windowMs) % windows) + 1;
  }
}

/** Counts of this window or the next, because threads reach a new window slightly apart. */
function countIn(state: number, window: number): number {
  const ahead = (state >>> countBits) - window;
  return ahead === 0 || ahead === 1 ? state & countMax : 0;
}
