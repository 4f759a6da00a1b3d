import type { Socket } from "node:net";

export interface Impairment {
  /** Delay of each byte in one direction. */
  readonly delayMs: number;
  /** Throughput of each direction. */
  readonly bytesPerSecond: number;
  /**
   * Nothing passes, neither data nor an end, and neither side notices: like a pulled cable. Open
   * connections look alive; the data arrives when the cable is plugged in again, because TCP repeats it.
   */
  readonly isBlackHole: boolean;
}

interface Parcel {
  readonly bytes: Buffer;
  readonly dueAtMs: number;
}

/** Above this the sender gets back-pressure. */
const HELD_BYTES_MAX = 256 * 1024;
/** Pieces are small, so that a throttled stream flows evenly and not in bursts. */
const PIECE_BYTES_MAX = 16 * 1024;

export interface ImpairedPipe {
  /** Applies a changed impairment. */
  retune(): void;
  stop(): void;
}

/** Copies bytes, and the end, from one socket to the other under an impairment. */
export function createImpairedPipe(
  from: Socket,
  to: Socket,
  impairment: () => Impairment,
): ImpairedPipe {
  const parcels: Parcel[] = [];
  let heldBytes = 0;
  let hasEnded = false;
  let nextSendAtMs = 0;
  let timer: NodeJS.Timeout | undefined;

  from.on("data", (chunk: Buffer) => {
    const dueAtMs = performance.now() + impairment().delayMs;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES_MAX) {
      parcels.push({ bytes: chunk.subarray(at, at + PIECE_BYTES_MAX), dueAtMs });
    }
    heldBytes += chunk.length;
    if (heldBytes >= HELD_BYTES_MAX) from.pause();
    deliver();
  });
  from.on("end", () => {
    hasEnded = true;
    deliver();
  });
  to.on("drain", deliver);

  function deliver(): void {
    clearTimeout(timer);
    if (impairment().isBlackHole || to.destroyed) return;
    for (;;) {
      const parcel = parcels[0];
      if (parcel === undefined) break;
      const waitMs = Math.max(parcel.dueAtMs, nextSendAtMs) - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(deliver, waitMs);
        return;
      }
      if (to.writableNeedDrain) return;
      send(parcel);
    }
    if (hasEnded && !to.writableEnded) to.end();
  }

  function send({ bytes }: Parcel): void {
    parcels.shift();
    heldBytes -= bytes.length;
    nextSendAtMs = performance.now() + (bytes.length / impairment().bytesPerSecond) * 1_000;
    to.write(bytes);
    if (heldBytes < HELD_BYTES_MAX && from.isPaused()) from.resume();
  }

  return { retune: deliver, stop: () => clearTimeout(timer) };
}
