import type { Key } from "./seeded-hash.ts";

/** Slots a key may lie in; with two words each they fill one cache line. */
const slotsPerBucket = 8;
const slotWords = 2;
const bucketWords = slotsPerBucket * slotWords;

/**
 * A hash table with one word of state per key, in memory that all threads of an edge share. Its
 * size is constant: if all slots that a key may lie in are in use, the least useful one is given
 * up.
 *
 * A slot is a tag and a state. One compare-and-swap writes both, and another changes the state, so
 * a thread that dies leaves nothing half-written. All threads take free slots in the same order, so
 * threads that add the same new key meet in one slot. A key can get two slots only if a slot before
 * its own becomes free at that very moment.
 */
export abstract class SharedHashTable {
  readonly #words: Int32Array;
  readonly #pairs: BigInt64Array;
  readonly #bucketMask: number;
  /** Combines two words into one. */
  readonly #scratch = new Int32Array(2);
  readonly #scratchPair = new BigInt64Array(this.#scratch.buffer);

  /** @param slots a power of two */
  static allocate(slots: number): SharedArrayBuffer {
    if (slots < slotsPerBucket || (slots & (slots - 1)) !== 0) {
      throw new RangeError(`${slots} slots are no power of two, or too few`);
    }
    return new SharedArrayBuffer(slots * slotWords * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#pairs = new BigInt64Array(buffer);
    this.#bucketMask = this.#words.length / bucketWords - 1;
  }

  /** How long the state is still useful, in the table's units; 0 if the slot is free. */
  protected abstract worthOf(state: number, now: number): number;

  /** The key's slot; -1 if it has none. */
  protected find(key: Key): number {
    const tag = tagOf(key);
    const first = this.#bucketOf(key);
    for (let at = first; at < first + bucketWords; at += slotWords) {
      if (Atomics.load(this.#words, at) === tag) return at;
    }
    return -1;
  }

  /** The state in a slot; undefined if another key has taken the slot. */
  protected read(slot: number, key: Key): number | undefined {
    const state = Atomics.load(this.#words, slot + 1);
    return Atomics.load(this.#words, slot) === tagOf(key) ? state : undefined;
  }

  /** False if the state has changed since it was read. */
  protected replace(slot: number, before: number, after: number): boolean {
    return Atomics.compareExchange(this.#words, slot + 1, before, after) === before;
  }

  /**
   * Gives a slot to a key that has none. False if another thread was faster: the caller looks
   * again.
   */
  protected insert(key: Key, state: number, now: number): boolean {
    const own = tagOf(key);
    const first = this.#bucketOf(key);
    let victim = first;
    let victimTag = 0;
    let victimState = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = first; at < first + bucketWords && least > 0; at += slotWords) {
      const tag = Atomics.load(this.#words, at);
      if (tag === own) return false;
      const found = Atomics.load(this.#words, at + 1);
      const worth = tag === 0 ? 0 : this.worthOf(found, now);
      if (worth >= least) continue;
      least = worth;
      victim = at;
      victimTag = tag;
      victimState = found;
    }
    const before = this.#pairOf(victimTag, victimState);
    const after = this.#pairOf(own, state);
    return Atomics.compareExchange(this.#pairs, victim / 2, before, after) === before;
  }

  #pairOf(tag: number, state: number): bigint {
    this.#scratch[0] = tag;
    this.#scratch[1] = state;
    return this.#scratchPair[0] ?? 0n;
  }

  #bucketOf({ low }: Key): number {
    return (low & this.#bucketMask) * bucketWords;
  }
}

/** 0 marks a slot that was never used. */
function tagOf({ high }: Key): number {
  return high === 0 ? 1 : high;
}
