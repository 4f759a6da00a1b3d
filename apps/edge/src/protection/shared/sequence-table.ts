import type { Key } from "./seeded-hash.ts";
import { SharedHashTable } from "./shared-hash-table.ts";

const turnsMask = 0x7fff_ffff;

/**
 * Counts that only go up, by key, for all threads together: each caller gets its own turn. If there
 * is no room for a key, the one with the lowest count starts anew.
 */
export class SequenceTable extends SharedHashTable {
  /** 1, 2, 3 and so on, each for one caller. */
  next(key: Key): number {
    for (;;) {
      const slot = this.find(key);
      if (slot < 0) {
        if (this.insert(key, 1, 0)) return 1;
        continue;
      }
      const state = this.read(slot, key);
      if (state === undefined) continue;
      const turn = (state + 1) & turnsMask || 1;
      if (this.replace(slot, state, turn)) return turn;
    }
  }

  protected override worthOf(state: number): number {
    return state;
  }
}
