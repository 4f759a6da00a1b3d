import { readVarInt, varIntLength, writeVarInt } from "../java/varint.ts";
import { inflateStart } from "./compression/inflate-start.ts";
import { snappyStart } from "./compression/snappy-start.ts";
import { compressionOf, settingsFirst } from "./game-versions.ts";

/**
 * The game's packets travel in batches: byte 0xfe, from 1.20.60 on a byte for the compression once the
 * server has answered the first packet, then packets, each behind its length as a VarInt. Source:
 * minecraft.wiki, "Bedrock Edition protocol", and the protocol tables of minecraft-data.
 */
export const batchId = 0xfe;

const algorithms = { deflate: 0, snappy: 1, none: 0xff } as const;
/** The length of a stored block has 16 bits. */
const storedBytesMax = 65_535;

function joinPackets(packets: readonly Buffer[]): Buffer {
  const length = packets.reduce((sum, each) => sum + varIntLength(each.length) + each.length, 0);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const packet of packets) {
    at = writeVarInt(bytes, at, packet.length);
    bytes.set(packet, at);
    at += packet.length;
  }
  return bytes;
}

/** A batch before any compression is agreed. */
export function encodePlainBatch(packets: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(batchId), joinPackets(packets)]);
}

/**
 * A batch in the form that clients of a version accept once compression is agreed. Its bytes are never
 * really compressed, which would cost more than a refusal may: from 1.20.60 on the batch says so; for
 * earlier clients they are in a stored block of deflate.
 *
 * @param protocol undefined: a client that asked for no settings, so one from before 1.19.30
 * @param packets of 65,535 bytes together
 */
export function encodeBatch(packets: readonly Buffer[], protocol: number | undefined): Buffer {
  const content = joinPackets(packets);
  if (compressionOf(protocol) === "named") {
    return Buffer.concat([Buffer.of(batchId, algorithms.none), content]);
  }
  // Last block, stored; length and its complement, little-endian (RFC 1951, section 3.2.4).
  const head = Buffer.of(batchId, 1, 0, 0, 0, 0);
  const length = Math.min(content.length, storedBytesMax);
  head.writeUInt16LE(length, 2);
  head.writeUInt16LE(length ^ 0xff_ff, 4);
  return Buffer.concat([head, content]);
}

/** Packets of a batch as they were joined, or the first bytes of them. */
export interface BatchStart {
  readonly content: Buffer;
  /** Whether the packets go on behind the content. */
  readonly isCut: boolean;
}

/**
 * The ways in which a client may have packed the batch; the right one is that whose packets make sense.
 *
 * @param batch begins with 0xfe; may be the start only of a batch whose rest has not arrived
 * @param protocol of the client's first packet, undefined before it
 * @param contentMax bytes that the reader wants
 */
export function* unpackBatch(
  batch: Buffer,
  isWhole: boolean,
  protocol: number | undefined,
  contentMax: number,
): Generator<BatchStart> {
  const packed = batch.subarray(1);
  const plain = (bytes: Buffer): BatchStart => ({
    content: bytes.subarray(0, contentMax),
    isCut: !isWhole || bytes.length > contentMax,
  });
  if (compressionOf(protocol) === "named") {
    const [algorithm] = packed;
    const rest = packed.subarray(1);
    if (algorithm === algorithms.none) yield plain(rest);
    else if (algorithm === algorithms.deflate) yield* started(inflateStart(rest, contentMax));
    else if (algorithm === algorithms.snappy) yield* started(snappyStart(rest, contentMax));
    return;
  }
  yield plain(packed);
  yield* started(inflateStart(packed, contentMax));
  if (protocol !== undefined && protocol >= settingsFirst) {
    yield* started(snappyStart(packed, contentMax));
  }
}

function* started(result: ReturnType<typeof inflateStart>): Generator<BatchStart> {
  if (result !== undefined) yield { content: result.output, isCut: !result.isWhole };
}

/** Packets looked at in one batch; a login comes first, or behind one that says little. */
const packetsMax = 8;

export interface PacketStart {
  readonly id: number;
  /** The fields, as far as they have arrived. */
  readonly fields: Buffer;
  readonly isCut: boolean;
}

/** @returns undefined where the content is not a row of packets; the last one may be cut */
export function readPackets({ content, isCut }: BatchStart): readonly PacketStart[] | undefined {
  const packets: PacketStart[] = [];
  let at = 0;
  while (at < content.length && packets.length < packetsMax) {
    const length = readVarInt(content, at, content.length);
    if (length.kind === "need-more" && isCut) break;
    if (length.kind !== "value" || length.value <= 0) return undefined;
    const end = length.next + length.value;
    const header = readVarInt(content, length.next, Math.min(end, content.length));
    if (end > content.length && !isCut) return undefined;
    if (header.kind === "need-more" && end > content.length) break;
    if (header.kind !== "value") return undefined;
    const fields = content.subarray(header.next, end);
    packets.push({ id: header.value & packetIdBits, fields, isCut: end > content.length });
    at = end;
  }
  return packets;
}

/** The rest of a packet's first number says which player of a split screen it is for. */
const packetIdBits = 0x3ff;
