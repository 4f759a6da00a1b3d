import type { Key } from "./seeded-hash.ts";

/** A cache line in 32-bit words. The slots of a key begin at one. */
const lineWords = 16;
/** A slot begins with the key's tag and the state. */
const pairWords = 2;
/** Words of a slot before the rest of the key. */
export const restAt = pairWords;
/** Loads for which a thread waits until another has written the rest of a key: some 50 us. */
const waitLoads = 20_000;

/** What `find`, `claim` and `insert` answer instead of a slot. */
export const noSlot = -1;
/** Another thread was faster: look again. */
export const lost = -2;
/** No slot of the key's may be given up. */
export const full = -3;

/** Worth of a state whose slot is never given up. If no other slot is left, the table refuses. */
export const irreplaceable = Number.POSITIVE_INFINITY;

/**
 * The policy of a table: what a slot's state is worth, in units of the table's own. A slot of 0 is
 * free for any key. If none is free, the slot that is worth least is given up.
 */
export type WorthOf = (state: number, now: number, slot: number) => number;

export interface TableLayout {
  /** Slots in which a key may lie; at most so many are looked at. */
  readonly reach: number;
  /** Words of a key that are kept besides its tag; 0 if the tag and the place are enough. */
  readonly restWords?: number;
  /** Words of a slot besides the key and the state. */
  readonly valueWords?: number;
  /** Words behind all slots, for the table as a whole; even. */
  readonly tailWords?: number;
}

/**
 * The hash table in memory that all threads of an edge share. Its size is constant.
 *
 * A slot is the tag of a key and a state, then the rest of the key and the values, if there are
 * any. One compare-and-swap writes tag and state of a new key, and another changes the state. A
 * thread that dies before it has written the rest leaves a slot that matches no key and becomes
 * free like any other.
 *
 * All threads take free slots in the same order, so threads that add the same new key meet in one
 * slot. A key can get two slots only if a slot before its own becomes free at that very moment, or
 * if it has a rest and the thread that adds it is stopped before it has written that. A slot that
 * was used once never becomes unused, so a search ends at the first unused one.
 *
 * Searches read words as they are, which is several times as fast as by `Atomics` and never tears a
 * word. An atomic operation confirms the result: `read` does for the state, and the compare-and-swap
 * for a slot that is given up.
 */
export class SharedHashTable {
  readonly words: Int32Array;
  /** The first word behind the slots. */
  readonly tail: number;
  readonly worthOf: WorthOf;
  readonly #slotWords: number;
  readonly #pairs: BigInt64Array;
  readonly #restWords: number;
  readonly #reach: number;
  readonly #homeMask: number;
  /** Combines two words into one. */
  readonly #scratch = new Int32Array(pairWords);
  readonly #scratchPair = new BigInt64Array(this.#scratch.buffer);

  /** @param slots a power of two */
  static allocate(slots: number, layout: TableLayout): SharedArrayBuffer {
    const slotWords = slotWordsOf(layout);
    if (slots < slotsPerLine(slotWords) || (slots & (slots - 1)) !== 0) {
      throw new RangeError(`${slots} slots are no power of two, or too few`);
    }
    const words = slots * slotWords + (layout.tailWords ?? 0);
    return new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  }

  /** @param buffer of `allocate` with the same layout */
  constructor(buffer: SharedArrayBuffer, layout: TableLayout, worthOf: WorthOf) {
    this.words = new Int32Array(buffer);
    this.#slotWords = slotWordsOf(layout);
    this.tail = this.words.length - (layout.tailWords ?? 0);
    this.#pairs = new BigInt64Array(buffer);
    this.worthOf = worthOf;
    this.#restWords = layout.restWords ?? 0;
    const slots = this.tail / this.#slotWords;
    this.#reach = Math.min(layout.reach, slots);
    this.#homeMask = (slots - 1) & -slotsPerLine(this.#slotWords);
  }

  /** The key's slot, as the index of its first word; `noSlot` if it has none. */
  find(key: Key): number {
    return this.#search(key, this.#restWords);
  }

  /** Whether the table may have the key, as far as its tag tells. */
  mayHave(key: Key): boolean {
    return this.#search(key, 0) >= 0;
  }

  /** The worth of the key's entry; 0 if it has none. */
  worth(key: Key, now: number): number {
    const slot = this.find(key);
    const state = slot < 0 ? undefined : this.read(slot, key);
    return state === undefined ? 0 : this.worthOf(state, now, slot);
  }

  /** Whether a slot other than this one has the key and is worth something. */
  hasAnother(own: number, key: Key, now: number): boolean {
    const tag = tagOf(key);
    let slot = this.#homeOf(key);
    for (let left = this.#reach; left > 0; left--) {
      const isSame = slot !== own && Atomics.load(this.words, slot) === tag;
      if (isSame && this.#hasRest(slot, key)) {
        if (this.worthOf(Atomics.load(this.words, slot + 1), now, slot) > 0) return true;
      }
      slot = this.#after(slot);
    }
    return false;
  }

  /** The state in a slot; undefined if another key has taken the slot. */
  read(slot: number, key: Key): number | undefined {
    const state = Atomics.load(this.words, slot + 1);
    return Atomics.load(this.words, slot) === tagOf(key) ? state : undefined;
  }

  /** False if the state has changed since it was read. */
  replace(slot: number, before: number, after: number): boolean {
    return Atomics.compareExchange(this.words, slot + 1, before, after) === before;
  }

  /** Gives a slot to a key that has none. @returns the slot, `lost` or `full` */
  insert(key: Key, state: number, now: number): number {
    const slot = this.claim(key, state, now);
    return slot < 0 || this.settle(slot, key) ? slot : lost;
  }

  /**
   * The first half of `insert`: no thread finds the key before `settle`, if the key has a rest. The
   * values are those of the key before, if there was one.
   */
  claim(key: Key, state: number, now: number): number {
    const own = tagOf(key);
    let slot = this.#homeOf(key);
    let victim = full;
    let victimTag = 0;
    let victimState = 0;
    let least = irreplaceable;
    for (let left = this.#reach; left > 0 && least > 0; left--) {
      const tag = this.words[slot] ?? 0;
      if (tag === own && this.#isBeingAdded(slot, key)) return lost;
      const found = this.words[slot + 1] ?? 0;
      const worth = tag === 0 ? 0 : this.worthOf(found, now, slot);
      if (worth < least) {
        least = worth;
        victim = slot;
        victimTag = tag;
        victimState = found;
      }
      slot = this.#after(slot);
    }
    if (victim === full) return full;
    const before = this.#pairOf(victimTag, victimState);
    const after = this.#pairOf(own, state);
    return Atomics.compareExchange(this.#pairs, victim / 2, before, after) === before
      ? victim
      : lost;
  }

  /** Writes the rest of a claimed key. False if another thread has taken the slot since. */
  settle(slot: number, key: Key): boolean {
    for (let n = 0; n < this.#restWords; n++) {
      Atomics.store(this.words, slot + restAt + n, key.rest?.[n] ?? 0);
    }
    return Atomics.load(this.words, slot) === tagOf(key);
  }

  /** All slots that have a key. */
  *used(): Generator<number> {
    for (let slot = 0; slot < this.tail; slot += this.#slotWords) {
      if (Atomics.load(this.words, slot) !== 0) yield slot;
    }
  }

  #search(key: Key, restWords: number): number {
    const { words } = this;
    const tag = tagOf(key);
    let slot = this.#homeOf(key);
    for (let left = this.#reach; left > 0; left--) {
      const found = words[slot];
      if (found === tag && (restWords === 0 || this.#hasRest(slot, key))) return slot;
      if (found === 0) return noSlot;
      slot = this.#after(slot);
    }
    return noSlot;
  }

  #hasRest(slot: number, { rest }: Key): boolean {
    const { words } = this;
    const end = this.#restWords;
    for (let n = 0; n < end; n++) {
      if (rest === undefined || words[slot + restAt + n] !== rest[n]) return false;
    }
    return true;
  }

  /**
   * Whether to look again: the key was added by now, or its slot given to another. False if the
   * slot's key has the same tag by chance, or its thread has died.
   */
  #isBeingAdded(slot: number, key: Key): boolean {
    for (let load = 0; load < waitLoads; load++) {
      if (this.#hasRest(slot, key) || Atomics.load(this.words, slot) !== tagOf(key)) return true;
    }
    return false;
  }

  #pairOf(tag: number, state: number): bigint {
    this.#scratch[0] = tag;
    this.#scratch[1] = state;
    return this.#scratchPair[0] ?? 0n;
  }

  #homeOf({ low }: Key): number {
    return (low & this.#homeMask) * this.#slotWords;
  }

  #after(slot: number): number {
    const next = slot + this.#slotWords;
    return next === this.tail ? 0 : next;
  }
}

function slotWordsOf({ restWords = 0, valueWords = 0 }: TableLayout): number {
  // Even, so that every pair lies on 8 bytes.
  return 2 * Math.ceil((pairWords + restWords + valueWords) / 2);
}

function slotsPerLine(slotWords: number): number {
  return lineWords % slotWords === 0 ? lineWords / slotWords : 1;
}

/** 0 marks a slot that was never used. */
function tagOf({ high }: Key): number {
  return high === 0 ? 1 : high;
}

/** Longest time that can be told from one that is over. */
const unitsLimit = 0x7fff_ffff;

/**
 * Policy of entries that expire. The state is the time at which an entry ends, modulo 2^32 of the
 * units of `now`; 0 stands for an entry that has ended. The entry that ends first makes room.
 *
 * @param unitsMax longest entry; one that seems to last longer is of a clock that was set back
 */
export function timeLeft(unitsMax = unitsLimit): WorthOf {
  return (state, now) => {
    if (state === 0) return 0;
    const units = (state - now) | 0;
    return units > 0 && units <= unitsMax ? units : 0;
  };
}

/** Policy of entries that must not be forgotten while they are worth anything: full, it refuses. */
export function refuseWhenFull(worthOf: WorthOf): WorthOf {
  return (state, now, slot) => (worthOf(state, now, slot) > 0 ? irreplaceable : 0);
}
