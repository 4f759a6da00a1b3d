/**
 * RakNet's datagrams within a connection: sets of frames, and the acknowledgements of sets. Numbers of
 * three bytes are little-endian, all others are in network byte order. Source: minecraft.wiki,
 * "RakNet", sections Frame Set Packet and Acknowledgement.
 */

const isFrameSet = 0x80;
const kindBits = 0xe0;
const ids = { ack: 0xc0, nack: 0xa0 } as const;
const frameSetHeadBytes = 4;
const splitFlag = 0x10;
const splitBytes = 10;
/** Flags and length. */
const frameHeadBytes = 3;
const indexBytes = 3;
/** Index and channel. */
const orderBytes = indexBytes + 1;
/** The length counts bits in 16 bits. */
const bodyBytesMax = 8_191;
/** Numbers of three bytes start again at 0 behind the greatest. */
export const indexCount = 2 ** 24;

/** How a frame is delivered; 5 to 7 are 0, 2 and 3 with a receipt for the sender's program. */
export const reliabilities = {
  unreliable: 0,
  unreliableSequenced: 1,
  reliable: 2,
  reliableOrdered: 3,
  reliableSequenced: 4,
  unreliableWithReceipt: 5,
  reliableWithReceipt: 6,
  reliableOrderedWithReceipt: 7,
} as const;

const reliableOnes: ReadonlySet<number> = new Set([2, 3, 4, 6, 7]);
const sequencedOnes: ReadonlySet<number> = new Set([1, 4]);
const orderedOnes: ReadonlySet<number> = new Set([1, 3, 4, 7]);

/** Place of a frame among the parts of a message that did not fit into one datagram. */
interface FrameSplit {
  /** Parts of the message. */
  readonly count: number;
  readonly id: number;
  readonly index: number;
}

export interface Frame {
  readonly reliability: number;
  /** Number of a reliable frame; the receiver drops a second one with the same. */
  readonly reliableIndex: number | undefined;
  readonly sequenceIndex: number | undefined;
  readonly order: { readonly index: number; readonly channel: number } | undefined;
  readonly split: FrameSplit | undefined;
  readonly body: Buffer;
}

export interface FrameSet {
  /** Number of the datagram, which acknowledgements name. */
  readonly sequence: number;
  readonly frames: readonly Frame[];
}

/** @returns undefined where the datagram is no set of complete frames; bodies are views of it */
export function readFrameSet(bytes: Buffer): FrameSet | undefined {
  const [id = 0] = bytes;
  if ((id & kindBits) !== isFrameSet || bytes.length < frameSetHeadBytes) return undefined;
  const frames: Frame[] = [];
  for (let at = frameSetHeadBytes; at < bytes.length;) {
    const frame = readFrame(bytes, at);
    if (frame === undefined) return undefined;
    frames.push(frame);
    at += frameBytes(frame);
  }
  return { sequence: bytes.readUIntLE(1, indexBytes), frames };
}

function readFrame(bytes: Buffer, start: number): Frame | undefined {
  if (bytes.length < start + frameHeadBytes) return undefined;
  const flags = bytes.readUInt8(start);
  const bodyBytes = (bytes.readUInt16BE(start + 1) + 7) >> 3;
  const reliability = flags >> 5;
  const isSplit = (flags & splitFlag) !== 0;
  let at = start + frameHeadBytes;
  const end = start + headBytes(reliability, isSplit) + bodyBytes;
  if (bodyBytes === 0 || bytes.length < end) return undefined;
  const takeIndex = (): number => {
    at += indexBytes;
    return bytes.readUIntLE(at - indexBytes, indexBytes);
  };
  const reliableIndex = reliableOnes.has(reliability) ? takeIndex() : undefined;
  const sequenceIndex = sequencedOnes.has(reliability) ? takeIndex() : undefined;
  let order: Frame["order"];
  if (orderedOnes.has(reliability)) {
    order = { index: takeIndex(), channel: bytes.readUInt8(at) };
    at += 1;
  }
  const split = isSplit ? readSplit(bytes, at) : undefined;
  if (split !== undefined && split.index >= split.count) return undefined;
  const body = bytes.subarray(end - bodyBytes, end);
  return { reliability, reliableIndex, sequenceIndex, order, split, body };
}

function readSplit(bytes: Buffer, at: number): FrameSplit {
  return {
    count: bytes.readUInt32BE(at),
    id: bytes.readUInt16BE(at + 4),
    index: bytes.readUInt32BE(at + 6),
  };
}

function headBytes(reliability: number, isSplit: boolean): number {
  return (
    frameHeadBytes +
    (reliableOnes.has(reliability) ? indexBytes : 0) +
    (sequencedOnes.has(reliability) ? indexBytes : 0) +
    (orderedOnes.has(reliability) ? orderBytes : 0) +
    (isSplit ? splitBytes : 0)
  );
}

/** Bytes that the frame takes in a datagram. */
export function frameBytes({ reliability, split, body }: Frame): number {
  return headBytes(reliability, split !== undefined) + body.length;
}

/**
 * The datagram of some frames.
 *
 * @param frames with bodies of 1 to 8,191 bytes; the indices that their reliability does not have are
 *   left out
 */
export function encodeFrameSet(sequence: number, frames: readonly Frame[]): Buffer {
  const length = frames.reduce((sum, frame) => sum + frameBytes(frame), frameSetHeadBytes);
  const bytes = Buffer.alloc(length);
  // 0x04: further statistics may follow, as every client of the game sets it.
  bytes[0] = isFrameSet | 0x04;
  bytes.writeUIntLE(sequence % indexCount, 1, indexBytes);
  let at = frameSetHeadBytes;
  for (const frame of frames) at = writeFrame(bytes, at, frame);
  return bytes;
}

function writeFrame(bytes: Buffer, start: number, frame: Frame): number {
  const { reliability, split, body } = frame;
  let at = bytes.writeUInt8((reliability << 5) | (split === undefined ? 0 : splitFlag), start);
  at = bytes.writeUInt16BE(Math.min(body.length, bodyBytesMax) * 8, at);
  const writeIndex = (value = 0): void => {
    at = bytes.writeUIntLE(value % indexCount, at, indexBytes);
  };
  if (reliableOnes.has(reliability)) writeIndex(frame.reliableIndex);
  if (sequencedOnes.has(reliability)) writeIndex(frame.sequenceIndex);
  if (orderedOnes.has(reliability)) {
    writeIndex(frame.order?.index);
    at = bytes.writeUInt8(frame.order?.channel ?? 0, at);
  }
  if (split !== undefined) {
    at = bytes.writeUInt32BE(split.count, at);
    at = bytes.writeUInt16BE(split.id, at);
    at = bytes.writeUInt32BE(split.index, at);
  }
  bytes.set(body, at);
  return at + body.length;
}

/** Datagrams from `first` to `last`, both included. */
export interface SequenceRange {
  readonly first: number;
  readonly last: number;
}

export interface Acknowledgement {
  /** Whether the named datagrams have arrived, or are missing. */
  readonly kind: "ack" | "nack";
  /** Never expanded here, since 7 bytes can name 16 million datagrams. */
  readonly ranges: readonly SequenceRange[];
}

/** @returns undefined where the datagram is no acknowledgement */
export function readAcknowledgement(bytes: Buffer): Acknowledgement | undefined {
  const kind = bytes[0] === ids.ack ? "ack" : bytes[0] === ids.nack ? "nack" : undefined;
  if (kind === undefined || bytes.length < 3) return undefined;
  const count = bytes.readUInt16BE(1);
  const ranges: SequenceRange[] = [];
  let at = 3;
  while (ranges.length < count) {
    const isSingle = bytes[at] !== 0;
    const end = at + 1 + (isSingle ? 1 : 2) * indexBytes;
    if (bytes.length < end) return undefined;
    const first = bytes.readUIntLE(at + 1, indexBytes);
    const last = bytes.readUIntLE(end - indexBytes, indexBytes);
    if (last < first) return undefined;
    ranges.push({ first, last });
    at = end;
  }
  return at === bytes.length ? { kind, ranges } : undefined;
}

export function encodeAcknowledgement({ kind, ranges }: Acknowledgement): Buffer {
  const records = ranges.map(({ first, last }) => {
    const isSingle = first === last;
    const record = Buffer.alloc(1 + (isSingle ? 1 : 2) * indexBytes);
    record[0] = isSingle ? 1 : 0;
    record.writeUIntLE(first, 1, indexBytes);
    record.writeUIntLE(last, record.length - indexBytes, indexBytes);
    return record;
  });
  const head = Buffer.of(ids[kind], 0, 0);
  head.writeUInt16BE(ranges.length, 1);
  return Buffer.concat([head, ...records]);
}

/** Whether an acknowledgement names the datagram. */
export function namesSequence({ ranges }: Acknowledgement, sequence: number): boolean {
  return ranges.some(({ first, last }) => first <= sequence && sequence <= last);
}
