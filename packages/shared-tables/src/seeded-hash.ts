/** Key of a shared table: 64 bits, and more where a table keeps them. */
export interface Key {
  /** The tag by which a slot is known. */
  readonly high: number;
  /** Gives the slots that the key may lie in. */
  readonly low: number;
  /** Compared, too, by tables whose layout has a rest. */
  readonly rest?: Int32Array;
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
  /** Read as words, in the order of every machine that Node 24 runs on. */
  readonly #words = new Int32Array(keyBytesMax / 4 + 1);
  readonly #bytes = new Uint8Array(this.#words.buffer);
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
    this.#hash(this.#words, this.#length);
    return this;
  }

  /** Adds the bytes as they are. */
  digest(bytes: Uint8Array, length: number): void {
    const words = new Int32Array((length >>> 2) + 1);
    new Uint8Array(words.buffer).set(bytes.subarray(0, length));
    this.#hash(words, length);
  }

  #hash(message: Int32Array, length: number): void {
    let v0 = this.#seedLow;
    let v1 = this.#seedHigh ^ 0xee;
    let v2 = 0x6c796765 ^ this.#seedLow;
    let v3 = 0x74656462 ^ this.#seedHigh;
    // The last word holds what is left and the length.
    const last = length >>> 2;
    for (let step = 0; step < last + 3; step++) {
      let word = step <= last ? (message[step] ?? 0) : 0;
      if (step === last) word = (word & restMask(length)) | (length << 24);
      v3 ^= word;
      if (step === last + 1) v2 ^= 0xee;
      else if (step > last) v1 ^= 0xdd;
      for (let round = step <= last ? 2 : 4; round > 0; round--) {
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
      if (step === last + 1) this.low = v1 ^ v3;
    }
    this.high = v1 ^ v3;
  }
}

/** The bytes of the last word that belong to the message. */
function restMask(length: number): number {
  return (1 << (8 * (length & 3))) - 1;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  return low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

/** Finaliser of MurmurHash3: every input bit moves every output bit. */
export function mixBits(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
