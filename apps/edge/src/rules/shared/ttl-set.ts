import type { Key } from "./seeded-hash.ts";
import { SharedHashTable, type TableLayout } from "./shared-hash-table.ts";
import { timeLeft } from "./slot-worth.ts";

/** Milliseconds of one unit of a mark's time; whole in the seconds that owners set. */
const unitMs = 20;
/** A mark that has so much of its time left is not written again. */
const renewBelow = 0.9;
/** One cache line. */
const layout: TableLayout = { reach: 8 };

/**
 * A set whose entries expire: cooldowns, names in use, pings that were seen. All threads share it;
 * of those that take a mark at the same time, one gets it. If a bucket is full, the mark that would
 * expire first expires early: a full table refuses no new mark.
 */
export class TtlSet {
  readonly #table: SharedHashTable;

  /** @param slots a power of two */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  /** @param lastsMaxMs longest mark; what seems to last longer is of a clock that was set back */
  constructor(buffer: SharedArrayBuffer, lastsMaxMs: number) {
    const unitsMax = Math.ceil(lastsMaxMs / unitMs) + 1;
    this.#table = new SharedHashTable(buffer, layout, timeLeft(unitsMax));
  }

  /** For how long the mark still lasts; 0 if there is none. */
  remainingMs(key: Key, nowMs: number): number {
    return this.#table.worth(key, unitsOf(nowMs)) * unitMs;
  }

  /** Sets the mark. False if there is one already, which then stays as it is. */
  take(key: Key, nowMs: number, lastsMs: number): boolean {
    return this.#set(key, nowMs, lastsMs, 0);
  }

  /** Sets the mark, or makes it last longer. */
  renew(key: Key, nowMs: number, lastsMs: number): void {
    this.#set(key, nowMs, lastsMs, renewBelow * lastsMs);
  }

  /** Ends the mark. */
  release(key: Key): void {
    const slot = this.#table.find(key);
    const state = slot < 0 ? undefined : this.#table.read(slot, key);
    if (state !== undefined) this.#table.replace(slot, state, 0);
  }

  /** False if the mark lasts for more than `leftMs`. */
  #set(key: Key, nowMs: number, lastsMs: number, leftMs: number): boolean {
    const now = unitsOf(nowMs);
    const until = untilOf(now, lastsMs);
    for (;;) {
      const slot = this.#table.find(key);
      if (slot < 0) {
        if (this.#table.insert(key, until, now) >= 0) return true;
        continue;
      }
      const state = this.#table.read(slot, key);
      if (state === undefined) continue;
      if (this.#table.worthOf(state, now, slot) * unitMs > leftMs) return false;
      if (this.#table.replace(slot, state, until)) return true;
    }
  }
}

/** Modulo 2^32: years, and a mark lasts minutes. */
function unitsOf(nowMs: number): number {
  return Math.floor(nowMs / unitMs) | 0;
}

/** 0 stands for no mark. */
function untilOf(now: number, lastsMs: number): number {
  const until = (now + Math.ceil(lastsMs / unitMs)) | 0;
  return until === 0 ? 1 : until;
}
