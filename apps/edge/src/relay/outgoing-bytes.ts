import { NativeMemory } from "@palisade/sockets/native-memory";

/** Bytes of one block; a read takes no more, so what a socket leaves of it always fits. */
export const blockBytes = 256 * 1_024;
/** No more bytes than this are kept in a smaller block. */
export const smallBlockBytes = 32 * 1_024;

/** Free blocks of one size. */
class FreeBlocks {
  readonly #bytes: number;
  readonly #max: number;
  readonly #free: NativeMemory[] = [];

  /** @param max kept for the next slow peer; the memory of a burst's further ones goes back */
  constructor(bytes: number, max: number) {
    this.#bytes = bytes;
    this.#max = max;
  }

  take(): NativeMemory {
    return this.#free.pop() ?? new NativeMemory(this.#bytes);
  }

  giveBack(block: NativeMemory): void {
    if (this.#free.length < this.#max) this.#free.push(block);
    else block.free();
  }
}

const large = new FreeBlocks(blockBytes, 64);
const small = new FreeBlocks(smallBlockBytes, 256);

/** The bytes that a peer has not taken yet. */
export class OutgoingBytes {
  readonly #block: NativeMemory;
  readonly isLarge: boolean;
  #start = 0;
  #end: number;

  /** @param bytes which are copied; at most `blockBytes` */
  constructor(bytes: Uint8Array) {
    this.isLarge = bytes.length > smallBlockBytes;
    this.#block = (this.isLarge ? large : small).take();
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
    (this.isLarge ? large : small).giveBack(this.#block);
  }
}
