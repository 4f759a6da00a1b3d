import type { Key } from "./seeded-hash.ts";
import { SharedHashTable, type TableLayout } from "./shared-hash-table.ts";

const turnsMask = 0x7fff_ffff;
/** One cache line. */
const layout: TableLayout = { reach: 8 };

/**
 * Counts that only go up, by key, for all threads together: each caller gets its own turn. If there
 * is no room for a key, the one with the lowest count starts anew.
 */
export class SequenceTable {
  readonly #table: SharedHashTable;

  /** @param slots a power of two */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#table = new SharedHashTable(buffer, layout, (turn) => turn);
  }

  /** 1, 2, 3 and so on, each for one caller. */
  next(key: Key): number {
    for (;;) {
      const slot = this.#table.find(key);
      if (slot < 0) {
        if (this.#table.insert(key, 1, 0) >= 0) return 1;
        continue;
      }
      const state = this.#table.read(slot, key);
      if (state === undefined) continue;
      const turn = (state + 1) & turnsMask || 1;
      if (this.#table.replace(slot, state, turn)) return turn;
    }
  }
}
