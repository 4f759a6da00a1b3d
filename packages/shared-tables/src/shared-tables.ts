import { type Key, SeededHash } from "./seeded-hash.ts";
import { SharedHashTable, type TableLayout, timeLeft } from "./shared-hash-table.ts";

/** A bucket: one cache line. */
const layout: TableLayout = { reach: 8 };

const countBits = 12;
const countMax = (1 << countBits) - 1;
const windows = 2 ** (32 - countBits) - 1;
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

/** Milliseconds of one unit of a mark's time; whole in the seconds that owners set. */
const unitMs = 20;
/** A mark that has so much of its time left is not written again. */
const renewBelow = 0.9;
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

const turnsMask = 0x7fff_ffff;
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

const quotaWindowMs = 1_000;
/** Names whose keys are kept; a flood is on few shields. */
const keptNamesMax = 1_024;
const quotaSlots = 16_384;

/** Things that are limited per second. */
export type QuotaKind = "line" | "joined" | "refused" | "uncached" | "dial" | "check" | "untried";

const spaces = {
  line: 0,
  joined: 1,
  refused: 2,
  uncached: 3,
  dial: 4,
  check: 5,
  untried: 6,
} as const satisfies Record<QuotaKind, number>;

export interface PerSecondQuotaBuffers {
  readonly counts: SharedArrayBuffer;
  readonly seed: Uint8Array;
}

/** Limits how often something may be done in a second, by all threads together. */
export class PerSecondQuota {
  readonly #counts: FixedWindowCounter;
  readonly #hash: SeededHash;
  readonly #nowMs: () => number;
  /** Keys of quotas that are not split further: they are needed with every login. */
  readonly #plain: readonly Key[];
  /** The keys of names that were asked for last, by the quota's number. */
  readonly #kept: readonly Map<string, Key>[];

  /** @param seed 8 bytes */
  static allocate(seed: Uint8Array, slots = quotaSlots): PerSecondQuotaBuffers {
    return { counts: FixedWindowCounter.allocate(slots), seed };
  }

  /** @param nowMs of a clock that all threads have in common */
  constructor({ counts, seed }: PerSecondQuotaBuffers, nowMs: () => number) {
    this.#counts = new FixedWindowCounter(counts, quotaWindowMs);
    this.#hash = new SeededHash(seed);
    this.#nowMs = nowMs;
    this.#plain = Object.values(spaces).map((space) => this.#keyFor(space, ""));
    this.#kept = this.#plain.map(() => new Map());
  }

  /** Taken in the running second. */
  taken(of: QuotaKind, key = ""): number {
    return this.#counts.count(this.#keyOf(of, key), this.#nowMs());
  }

  /** @param max at most 4,095 */
  take(of: QuotaKind, max: number, key = ""): boolean {
    return this.#counts.hit(this.#keyOf(of, key), this.#nowMs(), max);
  }

  #keyOf(of: QuotaKind, name: string): Key {
    const space = spaces[of];
    if (name === "") return this.#plain[space] ?? this.#keyFor(space, name);
    const kept = this.#kept[space];
    const known = kept?.get(name);
    if (known !== undefined || kept === undefined) return known ?? this.#keyFor(space, name);
    if (kept.size >= keptNamesMax) kept.clear();
    const key = this.#keyFor(space, name);
    kept.set(name, key);
    return key;
  }

  /** A copy: the hash overwrites its own result. */
  #keyFor(space: number, name: string): Key {
    const { high, low } = this.#hash.begin(space).addName(name).end();
    return { high, low };
  }
}

/** For one thread alone. */
export function singleThreadQuota(nowMs: () => number): PerSecondQuota {
  return new PerSecondQuota(PerSecondQuota.allocate(new Uint8Array(8)), nowMs);
}
