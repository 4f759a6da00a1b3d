import { readVarInt, varIntBytesMax, varIntLength, writeVarInt } from "./varint.ts";

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

/**
 * Reads frames in place: the last one that was read is in its fields, and nothing is made for it. A
 * thread that handles each frame before it reads the next needs one of them.
 */
export class FrameCursor {
  /** The id of a packet, and of one that is not whole once `hasId` says so. */
  id = 0;
  hasId = false;
  /** The packet's fields: `bytes.subarray(bodyStart, bodyEnd)`. */
  bodyStart = 0;
  /** The next frame begins here. */
  bodyEnd = 0;
  /** The fault of a malformed one. */
  reason: FrameFault = "frame-empty";
  /** The announced length of one that is too long; 0 for other faults. */
  frameBytes = 0;
  #value = 0;
  #next = 0;

  /**
   * Reads the frame at `offset` of the bytes received so far. Nothing is copied or allocated by the
   * announced length. A frame announced larger than `frameBytesMax` is malformed as soon as its length
   * is known, so a caller that stops there never holds more than the cap and one segment.
   */
  read(bytes: Uint8Array, offset: number, frameBytesMax: number): FrameResult["kind"] {
    this.hasId = false;
    const length = this.#varInt(bytes, offset, bytes.length, lengthBytesMax);
    if (length === "need-more") return length;
    if (length === "too-long") return this.#malformed("length-too-long");
    const frameBytes = this.#value;
    if (frameBytes === 0) return this.#malformed("frame-empty");
    if (frameBytes > frameBytesMax) return this.#malformed("frame-too-long", frameBytes);
    const bodyEnd = this.#next + frameBytes;
    const isWhole = bytes.length >= bodyEnd;
    const id = this.#varInt(bytes, this.#next, isWhole ? bodyEnd : bytes.length, varIntBytesMax);
    if (id === "need-more") return isWhole ? this.#malformed("id-malformed") : id;
    if (id === "too-long") return this.#malformed("id-malformed");
    this.id = this.#value;
    this.hasId = true;
    this.bodyStart = this.#next;
    this.bodyEnd = bodyEnd;
    return isWhole ? "packet" : "need-more";
  }

  #malformed(reason: FrameFault, frameBytes = 0): "malformed" {
    this.reason = reason;
    this.frameBytes = frameBytes;
    return "malformed";
  }

  /** As `readVarInt`, with its result in two fields. */
  #varInt(
    bytes: Uint8Array,
    offset: number,
    end: number,
    bytesMax: number,
  ): "value" | "need-more" | "too-long" {
    let value = 0;
    for (let index = 0; index < bytesMax; index++) {
      const at = offset + index;
      if (at >= end) return "need-more";
      const byte = bytes[at] ?? 0;
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) !== 0) continue;
      this.#value = value;
      this.#next = at + 1;
      return "value";
    }
    return "too-long";
  }
}

const needMore: FrameResult = { kind: "need-more" };
const cursor = new FrameCursor();

/** As `FrameCursor`, with an object for each frame. The next one begins at `bodyEnd`. */
export function readFrame(bytes: Uint8Array, offset: number, frameBytesMax: number): FrameResult {
  const kind = cursor.read(bytes, offset, frameBytesMax);
  const { id, hasId, bodyStart, bodyEnd, reason, frameBytes } = cursor;
  if (kind === "packet") return { kind, id, bodyStart, bodyEnd };
  if (kind === "need-more") return hasId ? { kind, id } : needMore;
  return frameBytes === 0 ? { kind, reason } : { kind, reason, frameBytes };
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
