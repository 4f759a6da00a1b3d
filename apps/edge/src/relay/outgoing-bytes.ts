import { NativeMemory } from "@palisade/sockets/native-memory";

/** Bytes of one block; a read takes no more, so what a socket leaves of it always fits. */
export const blockBytes = 256 * 1_024;
/** Free blocks that are kept for the next slow peer; the memory of a burst's further ones goes back. */
const freeMax = 64;
const free: NativeMemory[] = [];

/** The bytes that a peer has not taken yet. */
export class OutgoingBytes {
  readonly #block: NativeMemory;
  #start = 0;
  #end: number;

  /** @param bytes which are copied; at most `blockBytes` */
  constructor(bytes: Uint8Array) {
    this.#block = free.pop() ?? new NativeMemory(blockBytes);
    this.#block.bytes.set(bytes);
    this.#end = bytes.length;
  }

  get address(): number {
    return this.#block.address + this.#start;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** @returns whether all of them are taken */
  took(count: number): boolean {
    this.#start += count;
    return this.#start >= this.#end;
  }

  /** Gives the block back. The bytes are gone. */
  release(): void {
    if (free.length < freeMax) free.push(this.#block);
    else this.#block.free();
  }
}
