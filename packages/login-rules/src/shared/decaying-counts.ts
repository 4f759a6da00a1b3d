import type { Key } from "./seeded-hash.ts";
import { SharedHashTable, type TableLayout } from "./shared-hash-table.ts";

/** A bucket: one cache line. */
const layout: TableLayout = { reach: 8 };

// A state is the period in which it was written and two counts.
const countBits = 9;
const countMax = (1 << countBits) - 1;
const periodBits = 32 - 2 * countBits;
const periods = 1 << periodBits;

/** Both counts of a key; read them with `badIn` and `goodIn`. */
export type Counts = number;

export function badIn(counts: Counts): number {
  return counts >>> countBits;
}

export function goodIn(counts: Counts): number {
  return counts & countMax;
}

/**
 * Two counts for each key, of what went badly and of what went well. Both halve with every period, so
 * that the past weighs less than the present and is forgotten. All threads share them.
 *
 * If a bucket is full, the key with the lowest counts makes room: a source that has failed often
 * stays, however many others fail once.
 */
export class DecayingCounts {
  readonly #table: SharedHashTable;
  readonly #periodMs: number;

  /** @param slots a power of two; 8 bytes each */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer, periodMs: number) {
    this.#table = new SharedHashTable(buffer, layout, worthIn);
    this.#periodMs = periodMs;
  }

  /** 0 for a key that is not known. */
  of(key: Key, nowMs: number): Counts {
    const slot = this.#table.find(key);
    const state = slot < 0 ? undefined : this.#table.read(slot, key);
    return state === undefined ? 0 : countsIn(state, this.#periodAt(nowMs));
  }

  /** Counts one more of either kind, up to 511. */
  add(key: Key, kind: "bad" | "good", nowMs: number): void {
    const period = this.#periodAt(nowMs);
    for (;;) {
      const slot = this.#table.find(key);
      if (slot < 0) {
        if (this.#table.insert(key, stateOf(period, oneMore(0, kind)), period) >= 0) return;
        continue;
      }
      const state = this.#table.read(slot, key);
      if (state === undefined) continue;
      const after = stateOf(period, oneMore(countsIn(state, period), kind));
      if (state === after || this.#table.replace(slot, state, after)) return;
    }
  }

  #periodAt(nowMs: number): number {
    return Math.floor(nowMs / this.#periodMs) % periods;
  }
}

function oneMore(counts: Counts, kind: "bad" | "good"): Counts {
  const bad = badIn(counts);
  const good = goodIn(counts);
  return kind === "bad"
    ? (Math.min(bad + 1, countMax) << countBits) | good
    : (bad << countBits) | Math.min(good + 1, countMax);
}

function stateOf(period: number, counts: Counts): number {
  return (period << (2 * countBits)) | counts;
}

/** The counts after the periods that have passed since. */
function countsIn(state: number, period: number): Counts {
  // Behind by one: another thread has reached the next period before this one.
  const age = (period - (state >>> (2 * countBits)) + periods) % periods;
  const halvings = age === periods - 1 ? 0 : age;
  if (halvings > countBits) return 0;
  const bad = ((state >>> countBits) & countMax) >> halvings;
  const good = (state & countMax) >> halvings;
  return (bad << countBits) | good;
}

function worthIn(state: number, period: number): number {
  const counts = countsIn(state, period);
  return badIn(counts) + goodIn(counts);
}
