/**
 * Datagrams of an open RakNet connection: sets of frames, and the records that acknowledge them. Numbers
 * of 3 bytes are little-endian, all others big-endian. Source: minecraft.wiki, "RakNet", Frame Set
 * Packet. The peers have their own reader, so that an error of the edge's cannot hide in both.
 */

export interface Frame {
  readonly reliability: number;
  /** Index of a reliable frame, by which the receiver drops a repeated one. */
  readonly messageIndex?: number;
  readonly orderIndex?: number;
  readonly channel?: number;
  readonly part?: FramePart;
  readonly body: Buffer;
}

export interface FramePart {
  readonly count: number;
  readonly id: number;
  readonly index: number;
}

export interface FrameSet {
  readonly sequence: number;
  readonly frames: readonly Frame[];
}

export const reliabilities = { unreliable: 0, reliable: 2, reliableOrdered: 3 } as const;

/** With acknowledgement receipts (5 to 7), a frame looks like the one without. */
const reliable = new Set([2, 3, 4, 6, 7]);
const sequenced = new Set([1, 4]);
const ordered = new Set([1, 3, 4, 7]);

const isFrameSet = 0x80;
const isAck = 0xc0;
const isNack = 0xa0;
/** The lower bit asks for figures about bandwidth; every RakNet sets it. */
const frameSetFlags = 0x84;
export const frameSetHeadBytes = 4;
const splitFlag = 0x10;

/** Bytes that a reliable, ordered frame needs besides its body. */
export const frameHeadBytes = 3 + 3 + 4;
export const framePartBytes = 10;

export type Datagram =
  | { readonly kind: "frames"; readonly set: FrameSet }
  | { readonly kind: "ack" | "nack"; readonly sequences: readonly number[] };

/** @throws Error on bytes that no RakNet peer sends */
export function readDatagram(bytes: Buffer): Datagram {
  const flags = bytes.readUInt8(0);
  if ((flags & 0xf0) === isAck) return { kind: "ack", sequences: readRecords(bytes) };
  if ((flags & 0xf0) === isNack) return { kind: "nack", sequences: readRecords(bytes) };
  if ((flags & 0xf0) === isFrameSet) return { kind: "frames", set: readFrameSet(bytes) };
  throw new Error(`a datagram of a connection begins with 0x${flags.toString(16)}`);
}

function readFrameSet(bytes: Buffer): FrameSet {
  const frames: Frame[] = [];
  let at = frameSetHeadBytes;
  while (at < bytes.length) {
    const { frame, end } = readFrame(bytes, at);
    frames.push(frame);
    at = end;
  }
  return { sequence: bytes.readUIntLE(1, 3), frames };
}

function readFrame(bytes: Buffer, start: number): { frame: Frame; end: number } {
  const flags = bytes.readUInt8(start);
  const reliability = flags >> 5;
  const bodyBytes = Math.ceil(bytes.readUInt16BE(start + 1) / 8);
  let at = start + 3;
  const take3 = (): number => bytes.readUIntLE((at += 3) - 3, 3);
  const messageIndex = reliable.has(reliability) ? take3() : undefined;
  if (sequenced.has(reliability)) take3();
  const orderIndex = ordered.has(reliability) ? take3() : undefined;
  const channel = orderIndex === undefined ? undefined : bytes.readUInt8(at++);
  let part: FramePart | undefined;
  if ((flags & splitFlag) !== 0) {
    part = {
      count: bytes.readUInt32BE(at),
      id: bytes.readUInt16BE(at + 4),
      index: bytes.readUInt32BE(at + 6),
    };
    at += framePartBytes;
  }
  const end = at + bodyBytes;
  if (bodyBytes === 0 || end > bytes.length) throw new Error("a frame ends behind its datagram");
  const frame: Frame = {
    reliability,
    ...(messageIndex !== undefined && { messageIndex }),
    ...(orderIndex !== undefined && { orderIndex }),
    ...(channel !== undefined && { channel }),
    ...(part !== undefined && { part }),
    // A copy: the frame may be kept until its order comes.
    body: Buffer.from(bytes.subarray(at, end)),
  };
  return { frame, end };
}

export function frameBytes({ messageIndex, orderIndex, part, body }: Frame): number {
  const indexBytes = (messageIndex === undefined ? 0 : 3) + (orderIndex === undefined ? 0 : 4);
  return 3 + indexBytes + (part === undefined ? 0 : framePartBytes) + body.length;
}

export function encodeFrameSet({ sequence, frames }: FrameSet): Buffer {
  const size = frames.reduce((sum, frame) => sum + frameBytes(frame), frameSetHeadBytes);
  const bytes = Buffer.alloc(size);
  bytes.writeUInt8(frameSetFlags, 0);
  let at = bytes.writeUIntLE(sequence, 1, 3);
  for (const { reliability, messageIndex, orderIndex, channel = 0, part, body } of frames) {
    at = bytes.writeUInt8((reliability << 5) | (part === undefined ? 0 : splitFlag), at);
    at = bytes.writeUInt16BE(body.length * 8, at);
    if (messageIndex !== undefined) at = bytes.writeUIntLE(messageIndex, at, 3);
    if (orderIndex !== undefined) {
      at = bytes.writeUIntLE(orderIndex, at, 3);
      at = bytes.writeUInt8(channel, at);
    }
    if (part !== undefined) {
      at = bytes.writeUInt32BE(part.count, at);
      at = bytes.writeUInt16BE(part.id, at);
      at = bytes.writeUInt32BE(part.index, at);
    }
    bytes.set(body, at);
    at += body.length;
  }
  return bytes;
}

/** Far more than a peer of the tests sends before it gets an answer. */
const sequencesMax = 8_192;

function readRecords(bytes: Buffer): number[] {
  const sequences: number[] = [];
  let at = 3;
  for (let left = bytes.readUInt16BE(1); left > 0; left -= 1) {
    const isSingle = bytes.readUInt8(at) === 1;
    const first = bytes.readUIntLE(at + 1, 3);
    const last = isSingle ? first : bytes.readUIntLE(at + 4, 3);
    at += isSingle ? 4 : 7;
    if (last < first || sequences.length + last - first >= sequencesMax) {
      throw new Error(`a record names ${first} to ${last}`);
    }
    for (let sequence = first; sequence <= last; sequence += 1) sequences.push(sequence);
  }
  return sequences;
}

/** @param sequences in any order; neighbours become one record */
export function encodeRecords(kind: "ack" | "nack", sequences: Iterable<number>): Buffer {
  const sorted = [...sequences].toSorted((a, b) => a - b);
  const ranges: { first: number; last: number }[] = [];
  for (const sequence of sorted) {
    const range = ranges.at(-1);
    if (range !== undefined && sequence <= range.last + 1) range.last = sequence;
    else ranges.push({ first: sequence, last: sequence });
  }
  const head = Buffer.alloc(3);
  head.writeUInt8(kind === "ack" ? isAck : isNack, 0);
  head.writeUInt16BE(ranges.length, 1);
  return Buffer.concat([head, ...ranges.map(encodeRange)]);
}

function encodeRange({ first, last }: { first: number; last: number }): Buffer {
  const isSingle = first === last;
  const bytes = Buffer.alloc(isSingle ? 4 : 7);
  bytes.writeUInt8(isSingle ? 1 : 0, 0);
  bytes.writeUIntLE(first, 1, 3);
  if (!isSingle) bytes.writeUIntLE(last, 4, 3);
  return bytes;
}
