/** Key of a shared table: 64 bits; no two keys are known to share any. */
export interface Key {
  readonly high: number;
  readonly low: number;
}

const keyBytesMax = 64;

/**
 * HalfSipHash-2-4 with 64 bits of output (Aumasson and Bernstein): keyed, so that names which share
 * a slot cannot be found without the seed. The last result is in the object itself, and the next
 * one overwrites it.
 */
export class SeededHash implements Key {
  high = 0;
  low = 0;
  readonly #seedLow: number;
  readonly #seedHigh: number;
  readonly #bytes = new Uint8Array(keyBytesMax);
  #length = 0;

  /** @param seed 8 bytes, the same in every thread */
  constructor(seed: Uint8Array) {
    this.#seedLow = wordAt(seed, 0);
    this.#seedHigh = wordAt(seed, 4);
  }

  /** @param kind keeps keys of different meaning apart */
  begin(kind: number): this {
    this.#bytes[0] = kind;
    this.#length = 1;
    return this;
  }

  /** Bytes of `from`, as many as there is room for. */
  add(from: Uint8Array, count = from.length): this {
    const end = Math.min(count, from.length, keyBytesMax - this.#length);
    for (let index = 0; index < end; index++) this.#bytes[this.#length++] = from[index] ?? 0;
    return this;
  }

  /** A player's name, letters small. */
  addName(name: string): this {
    const end = Math.min(name.length, keyBytesMax - this.#length);
    for (let index = 0; index < end; index++) {
      const code = name.charCodeAt(index);
      this.#bytes[this.#length++] = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
    }
    return this;
  }

  end(): Key {
    this.digest(this.#bytes, this.#length);
    return this;
  }

  /** Adds the bytes as they are. */
  digest(bytes: Uint8Array, length: number): void {
    let v0 = this.#seedLow;
    let v1 = this.#seedHigh ^ 0xee;
    let v2 = 0x6c796765 ^ this.#seedLow;
    let v3 = 0x74656462 ^ this.#seedHigh;
    // The last word holds what is left and the length.
    const words = (length >>> 2) + 1;
    for (let step = 0; step < words + 2; step++) {
      const word = step < words ? wordOf(bytes, 4 * step, length) : 0;
      v3 ^= word;
      if (step === words) v2 ^= 0xee;
      else if (step > words) v1 ^= 0xdd;
      for (let round = step < words ? 2 : 4; round > 0; round--) {
        v0 = (v0 + v1) | 0;
        v1 = rotate(v1, 5) ^ v0;
        v0 = rotate(v0, 16);
        v2 = (v2 + v3) | 0;
        v3 = rotate(v3, 8) ^ v2;
        v0 = (v0 + v3) | 0;
        v3 = rotate(v3, 7) ^ v0;
        v2 = (v2 + v1) | 0;
        v1 = rotate(v1, 13) ^ v2;
        v2 = rotate(v2, 16);
      }
      v0 ^= word;
      if (step === words) this.low = v1 ^ v3;
    }
    this.high = v1 ^ v3;
  }
}

function wordOf(bytes: Uint8Array, at: number, length: number): number {
  if (at + 4 <= length) return wordAt(bytes, at);
  let word = length << 24;
  for (let index = at; index < length; index++) word |= (bytes[index] ?? 0) << (8 * (index - at));
  return word;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  return low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}
