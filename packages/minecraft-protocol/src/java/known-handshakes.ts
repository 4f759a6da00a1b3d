import { decodeHandshake, type HandshakeResult } from "./handshake.ts";

/** Longer ones are mostly unlike each other, e.g. those of proxies with a player's data. */
const bytesMax = 96;
/** A power of two. */
const slotsMax = 512;

interface Known {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly result: HandshakeResult;
}

/**
 * Decodes handshakes, and keeps the results of some: all clients of one version that come by one name
 * send the same bytes. A known handshake costs neither strings nor objects, only one look at each
 * byte.
 *
 * Which ones are kept depends on the bytes alone. A client that sends others on purpose displaces
 * some, and the next of those is decoded again.
 */
export class KnownHandshakes {
  readonly #slots: (Known | undefined)[] = Array.from({ length: slotsMax });

  /** As `decodeHandshake`. */
  decode(bytes: Buffer, start: number, end: number): HandshakeResult {
    const length = end - start;
    if (length > bytesMax) return decodeHandshake(bytes, start, end);
    const slot = slotOf(bytes, start, end);
    const known = this.#slots[slot];
    if (known !== undefined && isSame(known, bytes, start, length)) return known.result;
    const result = decodeHandshake(bytes, start, end);
    this.#slots[slot] = keep(bytes, start, length, result, known?.bytes);
    return result;
  }
}

function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01_00_01_93);
  return (hash ^ (hash >>> 15)) & (slotsMax - 1);
}

function isSame(known: Known, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (known.bytes[index] !== bytes[start + index]) return false;
  }
  return true;
}

/** @param memory of the one that was there before */
function keep(
  from: Uint8Array,
  start: number,
  length: number,
  result: HandshakeResult,
  memory: Uint8Array = new Uint8Array(bytesMax),
): Known {
  for (let index = 0; index < length; index++) memory[index] = from[start + index] ?? 0;
  return { bytes: memory, length, result };
}
