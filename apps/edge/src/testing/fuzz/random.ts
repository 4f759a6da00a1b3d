/** Numbers that follow from the seed alone, spread evenly (the generator sfc32). */
export class Random {
  #a: number;
  #b: number;
  #c = 0;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 0x1_0000_0000) | 0;
    for (let n = 0; n < 12; n++) this.next();
  }

  /** 32 bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A whole number from 0, below this. */
  below(limit: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * limit);
  }

  /** True once in as many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; at++) bytes[at] = this.next();
    return bytes;
  }
}
