import { readVarInt } from "../../java/varint.ts";
import type { Decompressed } from "./inflate-start.ts";

/**
 * The first bytes of a Snappy block, as far as input and `outputMax` go. Source: google/snappy,
 * format_description.txt.
 *
 * @returns undefined where the bytes are no such block
 */
export function snappyStart(bytes: Buffer, outputMax: number): Decompressed | undefined {
  const announced = readVarInt(bytes, 0, bytes.length);
  if (announced.kind !== "value") return undefined;
  const total = announced.value >>> 0;
  const target = Buffer.alloc(Math.min(total, outputMax));
  let length = 0;
  let at = announced.next;
  while (at < bytes.length && length < target.length) {
    const element = readElement(bytes, at);
    if (element === undefined) break;
    at = element.next;
    const stop = Math.min(length + element.length, target.length);
    if (element.distance === undefined) {
      const copied = bytes.copy(target, length, at, at + (stop - length));
      length += copied;
      at += element.length;
      if (length < stop) break;
    } else {
      if (element.distance === 0 || element.distance > length) return undefined;
      for (; length < stop; length += 1) target[length] = target[length - element.distance] ?? 0;
    }
  }
  return { output: target.subarray(0, length), isWhole: length === total };
}

interface Element {
  readonly length: number;
  /** Back to the bytes to repeat; undefined: literal bytes follow. */
  readonly distance: number | undefined;
  readonly next: number;
}

/** @returns undefined where the input ends within the element's head */
function readElement(bytes: Buffer, at: number): Element | undefined {
  const tag = bytes[at] ?? 0;
  const kind = tag & 3;
  const upper = tag >> 2;
  // A literal's length up to 60 is in the tag; 60 to 63 say that 1 to 4 bytes have it.
  const extra = kind === 0 ? Math.max(0, upper - 59) : kind === 3 ? 4 : kind;
  const next = at + 1 + extra;
  if (next > bytes.length) return undefined;
  const value = extra === 0 ? upper : bytes.readUIntLE(at + 1, extra);
  if (kind === 0) return { length: value + 1, distance: undefined, next };
  if (kind === 1) return { length: 4 + (upper & 7), distance: ((tag >> 5) << 8) | value, next };
  return { length: upper + 1, distance: value, next };
}
