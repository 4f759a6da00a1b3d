const labelBytesMax = 63;
const nameBytesMax = 255;
const pointerBits = 0xc0;
/** A name of 255 bytes has at most 127 labels, and each may be reached by a pointer. */
const pointersMax = 127;

/**
 * A name in the wire form that signatures are made over: lower case, uncompressed
 * (RFC 8945 section 4.3.3, RFC 4034 section 6.2).
 *
 * @param name with or without its trailing dot; the root is `""` or `"."`
 * @throws RangeError when a label or the name is too long (RFC 1035 section 2.3.4), or a label is empty
 */
export function encodeName(name: string): Buffer {
  const labels = name.replace(/\.$/, "").toLowerCase().split(".");
  const parts: Buffer[] = [];
  for (const label of labels.length === 1 && labels[0] === "" ? [] : labels) {
    const bytes = Buffer.from(label, "latin1");
    if (bytes.length === 0 || bytes.length > labelBytesMax) throw new RangeError("label length");
    parts.push(Buffer.from([bytes.length]), bytes);
  }
  const whole = Buffer.concat([...parts, Buffer.from([0])]);
  if (whole.length > nameBytesMax) throw new RangeError("name length");
  return whole;
}

export interface NameRead {
  /** As `encodeName` makes it. */
  readonly wire: Buffer;
  /** Offset behind the name. */
  readonly end: number;
}

/**
 * Reads a name of untrusted origin, compressed or not (RFC 1035 section 4.1.4); null when it is
 * malformed. Never throws. Pointers must lead backwards, so that reading ends; at most 255 bytes and
 * 127 pointers.
 */
export function readName(message: Buffer, start: number): NameRead | null {
  const parts: Buffer[] = [];
  let bytes = 1;
  let at = start;
  let end: number | null = null;
  let pointers = 0;
  let pointersBelow = start;
  for (;;) {
    const length = message[at];
    if (length === undefined) return null;
    if (length === 0) break;
    if ((length & pointerBits) === pointerBits) {
      if (at + 2 > message.length) return null;
      end ??= at + 2;
      at = message.readUInt16BE(at) & 0x3fff;
      pointers += 1;
      if (at >= pointersBelow || pointers > pointersMax) return null;
      pointersBelow = at;
      continue;
    }
    if ((length & pointerBits) !== 0 || at + 1 + length > message.length) return null;
    bytes += 1 + length;
    if (bytes > nameBytesMax) return null;
    parts.push(message.subarray(at, at + 1 + length));
    at += 1 + length;
  }
  const wire = Buffer.concat([...parts, Buffer.from([0])]);
  // Length bytes are below 64, so they are never in the range of capital letters.
  for (const [n, byte] of wire.entries()) if (byte >= 0x41 && byte <= 0x5a) wire[n] = byte + 0x20;
  return { wire, end: end ?? at + 1 };
}
