/**
 * VarInt of the Java Edition protocol: 7 bits a byte, least significant first,
 * high bit set where more follow; at most 5 bytes, two's complement.
 *
 * Source: minecraft.wiki, "Java Edition protocol/Data types", VarInt.
 */

export const varIntBytesMax = 5;

export type VarIntResult =
  | { readonly kind: "value"; readonly value: number; readonly next: number }
  | { readonly kind: "need-more" }
  | { readonly kind: "too-long" };

const needMore: VarIntResult = { kind: "need-more" };
const tooLong: VarIntResult = { kind: "too-long" };

/**
 * Reads a VarInt at `offset`, looking at no byte from `end` on.
 *
 * @param bytesMax a frame length has 3 bytes at most, a value within a packet 5
 * @returns the signed 32-bit value and the offset behind it
 */
export function readVarInt(
  bytes: Uint8Array,
  offset: number,
  end: number,
  bytesMax: number = varIntBytesMax,
): VarIntResult {
  let value = 0;
  for (let index = 0; index < bytesMax; index++) {
    const at = offset + index;
    if (at >= end) return needMore;
    const byte = bytes[at] ?? 0;
    value |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { kind: "value", value, next: at + 1 };
  }
  return tooLong;
}

/** Bytes that `value` (signed 32-bit) takes. */
export function varIntLength(value: number): number {
  let rest = value >>> 0;
  let length = 1;
  while (rest > 0x7f) {
    rest >>>= 7;
    length++;
  }
  return length;
}

/** Writes `value` (signed 32-bit) and returns the offset behind it. The caller has made the room. */
export function writeVarInt(target: Uint8Array, offset: number, value: number): number {
  let rest = value >>> 0;
  let at = offset;
  while (rest > 0x7f) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}
