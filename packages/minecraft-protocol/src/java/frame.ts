import { readVarInt, varIntLength, writeVarInt } from "./varint.ts";

/**
 * Uncompressed, unencrypted frames: VarInt length (at most 3 bytes), then a
 * VarInt packet id and the packet's fields. Source: minecraft.wiki, "Java
 * Edition protocol/Packets", Packet format, Without compression.
 */

/** Bytes of a length field. */
const lengthBytesMax = 3;

export type FrameFault = "length-too-long" | "frame-empty" | "frame-too-long" | "id-malformed";

export type FrameResult =
  | {
      readonly kind: "packet";
      readonly id: number;
      /** The packet's fields: `bytes.subarray(bodyStart, bodyEnd)`. */
      readonly bodyStart: number;
      readonly bodyEnd: number;
    }
  /** `id` is set as soon as it has arrived. */
  | { readonly kind: "need-more"; readonly id?: number }
  | {
      readonly kind: "malformed";
      readonly reason: FrameFault;
      /** The announced length, when that is the fault. */
      readonly frameBytes?: number;
    };

const needMore: FrameResult = { kind: "need-more" };

function malformed(reason: FrameFault): FrameResult {
  return { kind: "malformed", reason };
}

/**
 * Reads the frame at `offset` of the bytes received so far. Nothing is copied or allocated by the
 * announced length. A frame announced larger than `frameBytesMax` is malformed as soon as its length is
 * known, so a caller that stops there never holds more than the cap and one segment.
 *
 * The next frame begins at `bodyEnd`.
 */
export function readFrame(bytes: Uint8Array, offset: number, frameBytesMax: number): FrameResult {
  const length = readVarInt(bytes, offset, bytes.length, lengthBytesMax);
  if (length.kind === "need-more") return needMore;
  if (length.kind === "too-long") return malformed("length-too-long");
  if (length.value === 0) return malformed("frame-empty");
  if (length.value > frameBytesMax) {
    return { kind: "malformed", reason: "frame-too-long", frameBytes: length.value };
  }
  const bodyEnd = length.next + length.value;
  const isWhole = bytes.length >= bodyEnd;
  const id = readVarInt(bytes, length.next, isWhole ? bodyEnd : bytes.length);
  if (id.kind === "need-more") return isWhole ? malformed("id-malformed") : needMore;
  if (id.kind === "too-long") return malformed("id-malformed");
  if (!isWhole) return { kind: "need-more", id: id.value };
  return { kind: "packet", id: id.value, bodyStart: id.next, bodyEnd };
}

/** The form of a complete frame after Set Compression: its packet is marked as not compressed. */
export function asUnpacked(frame: Uint8Array): Buffer {
  const length = readVarInt(frame, 0, frame.length, lengthBytesMax);
  const packet = frame.subarray(length.kind === "value" ? length.next : frame.length);
  const frameBytes = 1 + packet.length;
  const sent = Buffer.alloc(varIntLength(frameBytes) + frameBytes);
  sent.set(packet, writeVarInt(sent, 0, frameBytes) + 1);
  return sent;
}
