import {
  codeOf,
  fixedDistances,
  fixedLiterals,
  lengthOrder,
  tableBits,
  type HuffmanCode,
} from "./huffman-code.ts";

/**
 * The first bytes of a raw deflate stream (RFC 1951). node:zlib gives either all of a stream or an error
 * where that is longer than allowed; a reader that wants only the start would have to keep megabytes of
 * a player's skin for it. This one stops at `outputMax` bytes or where the input ends, and allocates
 * nothing else.
 */

export interface Decompressed {
  readonly output: Buffer;
  /** The stream has ended; otherwise the input or the room for the output did. */
  readonly isWhole: boolean;
}

/** Codes of a length that repeats earlier bytes, from 257 on: its least value and its extra bits. */
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
];
const lengthBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
/** Codes of a distance back to these bytes. */
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537,
  2_049, 3_073, 4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
];
const endOfBlock = 256;

/** @returns undefined where the bytes are no such stream */
export function inflateStart(bytes: Uint8Array, outputMax: number): Decompressed | undefined {
  const inflater = new Inflater(bytes, outputMax);
  const end = inflater.run();
  if (end === "invalid") return undefined;
  return { output: inflater.output, isWhole: end === "whole" };
}

type End = "whole" | "input-ended" | "full" | "invalid";

class Inflater {
  readonly #bytes: Uint8Array;
  readonly #target: Buffer;
  #at = 0;
  #bits = 0;
  #bitCount = 0;
  #length = 0;
  /** Set by the first read that finds no more bits, or bits that mean nothing. */
  #end: End | undefined;

  constructor(bytes: Uint8Array, outputMax: number) {
    this.#bytes = bytes;
    this.#target = Buffer.alloc(outputMax);
  }

  get output(): Buffer {
    return this.#target.subarray(0, this.#length);
  }

  run(): End {
    while (this.#end === undefined) {
      const isLast = this.#take(1) === 1;
      const type = this.#take(2);
      if (this.#end !== undefined) break;
      if (type === 0) this.#copyStored();
      else if (type === 1) this.#decode(fixedLiterals, fixedDistances);
      else if (type === 2) this.#decodeDynamic();
      else this.#end = "invalid";
      if (isLast) this.#end ??= "whole";
    }
    return this.#end;
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      if (this.#at >= this.#bytes.length) {
        this.#end ??= "input-ended";
        return 0;
      }
      this.#bits |= (this.#bytes[this.#at++] ?? 0) << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  /** @returns -1 where no symbol has these bits */
  #symbol(code: HuffmanCode): number {
    while (this.#bitCount < tableBits && this.#at < this.#bytes.length) {
      this.#bits |= (this.#bytes[this.#at++] ?? 0) << this.#bitCount;
      this.#bitCount += 8;
    }
    const entry = code.table[this.#bits & (2 ** tableBits - 1)] ?? 0;
    const length = entry & 15;
    if (length === 0 || length > this.#bitCount) return this.#longSymbol(code);
    this.#bits >>>= length;
    this.#bitCount -= length;
    return entry >> 4;
  }

  #longSymbol({ counts, symbols }: HuffmanCode): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < counts.length && this.#end === undefined; length += 1) {
      code |= this.#take(1);
      const count = counts[length] ?? 0;
      if (code - first < count) return symbols[index + code - first] ?? -1;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    this.#end ??= "invalid";
    return -1;
  }

  #copyStored(): void {
    // The block begins with the next byte; whole bytes that were read ahead are still to be taken.
    this.#take(this.#bitCount % 8);
    const length = this.#take(8) | (this.#take(8) << 8);
    const check = this.#take(8) | (this.#take(8) << 8);
    if (this.#end !== undefined) return;
    if ((length ^ check) !== 0xff_ff) {
      this.#end = "invalid";
      return;
    }
    const given = Math.min(length, this.#bytes.length - this.#at);
    const room = Math.min(given, this.#target.length - this.#length);
    this.#target.set(this.#bytes.subarray(this.#at, this.#at + room), this.#length);
    this.#length += room;
    this.#at += room;
    if (room < given) this.#end = "full";
    else if (given < length) this.#end = "input-ended";
  }

  #decodeDynamic(): void {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const lengthCount = this.#take(4) + 4;
    const lengthsOfLengths = new Uint8Array(lengthOrder.length);
    for (const place of lengthOrder.slice(0, lengthCount)) lengthsOfLengths[place] = this.#take(3);
    const lengths = this.#readLengths(codeOf(lengthsOfLengths), literalCount + distanceCount);
    if (this.#end !== undefined) return;
    this.#decode(codeOf(lengths.subarray(0, literalCount)), codeOf(lengths.subarray(literalCount)));
  }

  /** The lengths of both codes, in which symbols 16 to 18 repeat one. */
  #readLengths(code: HuffmanCode | undefined, total: number): Uint8Array {
    const lengths = new Uint8Array(total);
    if (code === undefined) {
      this.#end ??= "invalid";
      return lengths;
    }
    for (let at = 0; at < total && this.#end === undefined;) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        lengths[at++] = Math.max(symbol, 0);
        continue;
      }
      const value = symbol === 16 ? lengths[at - 1] : 0;
      const repeats =
        symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (value === undefined || at + repeats > total) this.#end ??= "invalid";
      else lengths.fill(value, at, at + repeats);
      at += repeats;
    }
    return lengths;
  }

  #decode(literals: HuffmanCode | undefined, distances: HuffmanCode | undefined): void {
    if (literals === undefined || distances === undefined) {
      this.#end ??= "invalid";
      return;
    }
    while (this.#end === undefined) {
      const symbol = this.#symbol(literals);
      if (symbol === endOfBlock || this.#end !== undefined) return;
      if (this.#length === this.#target.length) this.#end = "full";
      else if (symbol < endOfBlock) this.#target[this.#length++] = symbol;
      else this.#repeat(symbol - endOfBlock - 1, distances);
    }
  }

  #repeat(lengthCode: number, distances: HuffmanCode): void {
    const base = lengthBases[lengthCode];
    const length = (base ?? 0) + this.#take(lengthBits[lengthCode] ?? 0);
    const distanceCode = this.#symbol(distances);
    const distanceBase = distanceBases[distanceCode];
    const distance = (distanceBase ?? 0) + this.#take(Math.max(0, (distanceCode >> 1) - 1));
    if (this.#end !== undefined) return;
    if (base === undefined || distanceBase === undefined || distance > this.#length) {
      this.#end = "invalid";
      return;
    }
    const stop = Math.min(this.#length + length, this.#target.length);
    if (this.#length + length > stop) this.#end = "full";
    for (; this.#length < stop; this.#length += 1) {
      this.#target[this.#length] = this.#target[this.#length - distance] ?? 0;
    }
  }
}
