import type { Key } from "./seeded-hash.ts";

/** Slots a key may lie in: with two words each they are one cache line. */
const slotsPerBucket = 8;
const slotWords = 2;
const bucketWords = slotsPerBucket * slotWords;

/**
 * Keys with one word of state each, in memory that all threads of an edge share. Constant in size:
 * where all slots that a key may lie in are in use, the least useful is given up for it.
 *
 * A slot is a tag and a state. A key comes into a slot, its first state with it, by one
 * compare-and-swap of both, and a state is changed by one, so a thread that dies leaves nothing
 * half-written. Free slots are taken in one order by all, so that threads that bring the same new
 * key meet in one slot; only at the moment in which a slot before it becomes free can a key come to
 * lie in two.
 */
export abstract class SharedHashTable {
  readonly #words: Int32Array;
  readonly #pairs: BigInt64Array;
  readonly #bucketMask: number;
  /** To make pairs of words. */
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

  /** How long the state is still of use, in the table's units; 0 where its slot is free. */
  protected abstract worthOf(state: number, now: number): number;

  /** The key's slot; -1 where it has none. */
  protected find(key: Key): number {
    const tag = tagOf(key);
    const first = this.#bucketOf(key);
    for (let at = first; at < first + bucketWords; at += slotWords) {
      if (Atomics.load(this.#words, at) === tag) return at;
    }
    return -1;
  }

  /** The state in a slot; undefined where it is another key's by now. */
  protected read(slot: number, key: Key): number | undefined {
    const state = Atomics.load(this.#words, slot + 1);
    return Atomics.load(this.#words, slot) === tagOf(key) ? state : undefined;
  }

  /** False where it has changed since it was read. */
  protected replace(slot: number, before: number, after: number): boolean {
    return Atomics.compareExchange(this.#words, slot + 1, before, after) === before;
  }

  /** Gives a slot to a key that has none. False where another thread was faster: look again. */
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

/** 0 is a slot that nobody has had. */
function tagOf({ high }: Key): number {
  return high === 0 ? 1 : high;
}
