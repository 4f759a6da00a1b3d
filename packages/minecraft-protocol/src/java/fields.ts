import { readVarInt, varIntLength, writeVarInt } from "./varint.ts";

const nothing = Buffer.alloc(0);

/**
 * A cursor over one packet's fields. A field that does not fit sets `failed`, and every later read
 * returns zero or "", so a decoder checks once at its end. An announced length is checked against the
 * available bytes before anything is allocated.
 */
export class FieldReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #offset: number;
  #failed = false;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#offset = start;
    this.#end = end;
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Whether all bytes were read without a fault. */
  get complete(): boolean {
    return !this.#failed && this.#offset === this.#end;
  }

  get remaining(): number {
    return this.#end - this.#offset;
  }

  varInt(): number {
    if (this.#failed) return 0;
    const result = readVarInt(this.#bytes, this.#offset, this.#end);
    if (result.kind !== "value") return this.#fail();
    this.#offset = result.next;
    return result.value;
  }

  unsignedByte(): number {
    const at = this.#take(1);
    return at < 0 ? 0 : this.#bytes.readUInt8(at);
  }

  unsignedShort(): number {
    const at = this.#take(2);
    return at < 0 ? 0 : this.#bytes.readUInt16BE(at);
  }

  /** 32 bits, signed. */
  int(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : this.#bytes.readInt32BE(at);
  }

  /** 64 bits, signed. */
  long(): bigint {
    const at = this.#take(8);
    return at < 0 ? 0n : this.#bytes.readBigInt64BE(at);
  }

  double(): number {
    const at = this.#take(8);
    return at < 0 ? 0 : this.#bytes.readDoubleBE(at);
  }

  float(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : this.#bytes.readFloatBE(at);
  }

  /** A boolean is 0 or 1; anything else is a fault. */
  boolean(): boolean {
    const value = this.unsignedByte();
    if (value > 1) this.#fail();
    return value === 1;
  }

  /** UTF-8 behind its VarInt length in bytes. */
  string(bytesMax: number): string {
    const length = this.varInt();
    if (length < 0 || length > bytesMax) {
      this.#fail();
      return "";
    }
    const at = this.#take(length);
    return at < 0 ? "" : this.#bytes.toString("utf8", at, at + length);
  }

  /** Bytes behind their VarInt length: a view, not a copy. */
  byteArray(bytesMax: number): Buffer {
    return this.#view(this.varInt(), bytesMax);
  }

  /** Bytes behind a 16-bit length, as in 1.7: a view, not a copy. */
  shortByteArray(bytesMax: number): Buffer {
    return this.#view(this.unsignedShort(), bytesMax);
  }

  /** As many bytes as `count` says: a view, not a copy; empty when there are fewer. */
  bytes(count: number): Buffer {
    return this.#view(count, count);
  }

  /** All remaining bytes: a view, not a copy. */
  rest(bytesMax: number): Buffer {
    return this.#view(this.#end - this.#offset, bytesMax);
  }

  skip(count: number): void {
    this.#take(count);
  }

  #view(length: number, bytesMax: number): Buffer {
    if (length < 0 || length > bytesMax) this.#fail();
    const at = this.#take(length);
    return at < 0 ? nothing : this.#bytes.subarray(at, at + length);
  }

  #take(count: number): number {
    if (this.#failed || count > this.#end - this.#offset) {
      this.#fail();
      return -1;
    }
    const at = this.#offset;
    this.#offset += count;
    return at;
  }

  #fail(): 0 {
    this.#failed = true;
    return 0;
  }
}

/** A complete frame: length, packet id and the concatenated fields. */
export function encodeFrame(id: number, ...fields: readonly Uint8Array[]): Buffer {
  let length = varIntLength(id);
  for (const field of fields) length += field.length;
  const frame = Buffer.allocUnsafe(varIntLength(length) + length);
  let at = writeVarInt(frame, 0, length);
  at = writeVarInt(frame, at, id);
  for (const field of fields) {
    frame.set(field, at);
    at += field.length;
  }
  return frame;
}

/** UTF-8 behind its VarInt length in bytes. */
export function encodeString(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const field = Buffer.allocUnsafe(varIntLength(length) + length);
  field.write(text, writeVarInt(field, 0, length));
  return field;
}

export function encodeVarInt(value: number): Buffer {
  const field = Buffer.allocUnsafe(varIntLength(value));
  writeVarInt(field, 0, value);
  return field;
}

/** Bytes behind their VarInt length. */
export function encodeByteArray(bytes: Uint8Array): Buffer {
  return Buffer.concat([encodeVarInt(bytes.length), bytes]);
}

/** Bytes behind their length of 16 bits, as 1.7 has them; at most 32,767. */
export function encodeShortByteArray(bytes: Uint8Array): Buffer {
  return Buffer.concat([encodeShort(bytes.length), bytes]);
}

/** The lower 16 bits of `value`. */
export function encodeShort(value: number): Buffer {
  return Buffer.from([(value >> 8) & 0xff, value & 0xff]);
}

export function encodeInt(value: number): Buffer {
  const field = Buffer.allocUnsafe(4);
  field.writeInt32BE(value);
  return field;
}

export function encodeLong(value: bigint): Buffer {
  const field = Buffer.allocUnsafe(8);
  field.writeBigInt64BE(value);
  return field;
}

export function encodeDouble(value: number): Buffer {
  const field = Buffer.allocUnsafe(8);
  field.writeDoubleBE(value);
  return field;
}

export function encodeBoolean(value: boolean): Buffer {
  return Buffer.from([value ? 1 : 0]);
}
