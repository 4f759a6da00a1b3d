/** Bytes of a seed. */
export const seedBytes = 16;

/**
 * The small fast counting generator with 128 bits of state ("sfc32", from PractRand by Chris
 * Doty-Humphrey, public domain). The same seed gives the same numbers, so a picture can be drawn
 * again in a test. Seeds of real pictures come from the operating system.
 */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: Uint8Array) {
    const bytes = Buffer.alloc(seedBytes);
    bytes.set(seed.subarray(0, seedBytes));
    this.#a = bytes.readInt32LE(0);
    this.#b = bytes.readInt32LE(4);
    this.#c = bytes.readInt32LE(8);
    this.#counter = bytes.readInt32LE(12);
    // The first numbers of similar seeds are similar.
    for (let n = 0; n < 12; n++) this.next();
  }

  /** From 0 up to but not including 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.next();
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor((max - min + 1) * this.next());
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws when there is nothing to pick */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}
