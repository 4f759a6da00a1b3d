import type { Socket } from "node:net";

/** Copies up to here share a slab of Node's; larger ones would be memory of their own each time. */
const slabBytesMax = 4_095;
const chunkBytes = 64 * 1_024;
/** Buffers kept for reuse; further ones that a burst needs are freed again. */
const chunksKeptMax = 64;

const free: Chunk[] = [];

/** A large buffer that is used again once its content is written. */
class Chunk {
  readonly bytes = Buffer.allocUnsafeSlow(chunkBytes);
  /** The callback of its write: the system holds on to the bytes until then. */
  readonly written = (): void => {
    if (free.length < chunksKeptMax) free.push(this);
  };
}

/**
 * Writes a copy of bytes that will not hold.
 *
 * @param bytes 64 KiB at most
 * @returns false if the socket is full, like `write`
 */
export function passOn(to: Socket, bytes: Buffer): boolean {
  if (bytes.length <= slabBytesMax) return to.write(Buffer.from(bytes));
  const chunk = free.pop() ?? new Chunk();
  bytes.copy(chunk.bytes);
  return to.write(chunk.bytes.subarray(0, bytes.length), chunk.written);
}
