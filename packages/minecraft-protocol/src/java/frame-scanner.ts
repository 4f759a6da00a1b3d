/** Bytes of a length field, as in frame.ts. */
const lengthBytesMax = 3;
const lengthMax = 2 ** (7 * lengthBytesMax) - 1;

/**
 * Called for each frame that is not empty, as soon as its length and packet id have arrived.
 *
 * @param id one byte, as all ids up to the end of the login state; undefined when it is compressed
 * @returns false to stop the scan
 */
export type OnFrame = (frameBytes: number, id: number | undefined) => boolean;

/**
 * Reads length and packet id of the frames in one direction. The bytes may be split anywhere; none of
 * them is kept and nothing is allocated for them.
 */
export class FrameScanner {
  readonly #onFrame: OnFrame;
  #part: "length" | "data-length" | "id" | "rest" | "over" = "length";
  #frameBytes = 0;
  /** Bytes of the length that have arrived. */
  #lengthBytes = 0;
  /** Bytes of the frame that are still missing. */
  #left = 0;
  #isCompressed = false;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Whether the last byte that was read ended a frame. */
  get isBetweenFrames(): boolean {
    return this.#part === "length" && this.#lengthBytes === 0;
  }

  /** From the next frame on, each begins with the uncompressed length of its packet, 0 if it is not compressed. */
  compress(): void {
    this.#isCompressed = true;
  }

  read(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#part !== "over") {
      if (this.#part === "rest") at += this.#pass(bytes.length - at);
      else this.#readByte(bytes[at++] ?? 0);
    }
  }

  #pass(bytes: number): number {
    const passed = Math.min(this.#left, bytes);
    this.#left -= passed;
    if (this.#left === 0) this.#part = "length";
    return passed;
  }

  #readByte(byte: number): void {
    if (this.#part === "length") {
      this.#readLength(byte);
      return;
    }
    this.#left--;
    const isPlain = this.#part === "id" || byte === 0;
    if (this.#part === "data-length" && isPlain && this.#left > 0) this.#part = "id";
    else this.#tell(isPlain ? byte : undefined);
  }

  #readLength(byte: number): void {
    this.#frameBytes |= (byte & 0x7f) << (7 * this.#lengthBytes++);
    const isWhole = byte < 0x80;
    if (!isWhole && this.#lengthBytes < lengthBytesMax) return;
    this.#lengthBytes = 0;
    if (isWhole) {
      this.#begin();
      return;
    }
    // The end of a frame with a longer length field is unknown.
    this.#onFrame(lengthMax + 1, undefined);
    this.#part = "over";
  }

  #begin(): void {
    this.#left = this.#frameBytes;
    if (this.#left > 0) this.#part = this.#isCompressed ? "data-length" : "id";
  }

  #tell(id: number | undefined): void {
    const frameBytes = this.#frameBytes;
    this.#frameBytes = 0;
    this.#part = this.#left > 0 ? "rest" : "length";
    if (!this.#onFrame(frameBytes, id)) this.#part = "over";
  }
}
