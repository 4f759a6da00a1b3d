/**
 * A canonical Huffman code of deflate (RFC 1951, section 3.2.2): the lengths of all codes say which
 * code each symbol has.
 */
export interface HuffmanCode {
  /** Codes of each length; index 0 is unused. */
  readonly counts: Uint16Array;
  /** Symbols in the order of their codes. */
  readonly symbols: Uint16Array;
  /**
   * For the next bits of the input, as many as `tableBits`: symbol * 16 + length of its code. 0 where
   * the code is longer.
   */
  readonly table: Uint16Array;
}

/** Most codes are no longer; a larger table would cost more for each block than it saves. */
export const tableBits = 9;

const lengthMax = 15;

/** Order in which a block gives the lengths of the code for its lengths. */
export const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * @param lengths bits of each symbol's code, at most 15; 0: the symbol does not occur
 * @returns undefined where more codes are claimed than there are
 */
export function codeOf(lengths: Uint8Array): HuffmanCode | undefined {
  const counts = new Uint16Array(lengthMax + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const offsets = new Uint16Array(lengthMax + 2);
  const codes = new Uint16Array(lengthMax + 2);
  let free = 1;
  for (let length = 1; length <= lengthMax; length += 1) {
    const count = counts[length] ?? 0;
    free = free * 2 - count;
    if (free < 0) return undefined;
    offsets[length + 1] = (offsets[length] ?? 0) + count;
    codes[length + 1] = ((codes[length] ?? 0) + count) << 1;
  }
  const symbols = new Uint16Array(lengths.length);
  const table = new Uint16Array(2 ** tableBits);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const at = offsets[length] ?? 0;
    symbols[at] = symbol;
    offsets[length] = at + 1;
    const code = codes[length] ?? 0;
    codes[length] = code + 1;
    if (length > tableBits) continue;
    const step = 2 ** length;
    for (let bits = reversed(code, length); bits < table.length; bits += step) {
      table[bits] = symbol * 16 + length;
    }
  }
  return { counts, symbols, table };
}

/** Codes arrive with their first bit first, other numbers with their last. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result = (result << 1) | ((code >> bit) & 1);
  return result;
}

function fixed(lengths: readonly (readonly [count: number, length: number])[]): HuffmanCode {
  const all = lengths.flatMap(([count, length]) => Array.from({ length: count }, () => length));
  const none = new Uint16Array();
  return codeOf(Uint8Array.from(all)) ?? { counts: none, symbols: none, table: none };
}

/** Codes of a block that brings none of its own (section 3.2.6). */
export const fixedLiterals = fixed([
  [144, 8],
  [112, 9],
  [24, 7],
  [8, 8],
]);
export const fixedDistances = fixed([[30, 5]]);
