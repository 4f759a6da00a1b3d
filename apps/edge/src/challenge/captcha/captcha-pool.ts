import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import { codeLengthMax } from "./code.ts";

export interface Captcha {
  readonly code: string;
  /** Colours of a map, row by row. */
  readonly colours: Uint8Array;
}

/** Gives out captchas, each once. */
export interface CaptchaSource {
  /** Undefined while none is ready. */
  take(): Captcha | undefined;
}

const pictureBytes = mapSide * mapSide;
const wordBytes = Int32Array.BYTES_PER_ELEMENT;
/** The words before the states of the slots: captchas that are ready, and those taken so far. */
const readyAt = 0;
const takenAt = 1;
const headWords = 2;

/** States of a slot. A thread that dies while it reads leaves its slot unused. */
const free = 0;
const ready = 1;
const inUse = 2;

/** Ready from the start, for the first players who need one. */
const stockAtRest = 8;

/**
 * Captchas that were drawn ahead, in memory that all threads share: one thread draws them, each of the
 * others takes them. The size is constant. Until the first is taken only a few are drawn, because most
 * edges need none.
 */
export class CaptchaPool implements CaptchaSource {
  readonly #words: Int32Array;
  readonly #codes: Uint8Array;
  readonly #pictures: Uint8Array;
  readonly #slots: number;
  /** The slot where this thread looks first. */
  #next = 0;

  /** @param slots captchas of some 16 KB; a power of two is not needed */
  static allocate(slots = 256): SharedArrayBuffer {
    return new SharedArrayBuffer(
      headWords * wordBytes + slots * (wordBytes + codeLengthMax + pictureBytes),
    );
  }

  /** @param buffer of `allocate` */
  constructor(buffer: SharedArrayBuffer) {
    const head = headWords * wordBytes;
    const slotBytes = wordBytes + codeLengthMax + pictureBytes;
    this.#slots = Math.floor((buffer.byteLength - head) / slotBytes);
    const codesAt = head + this.#slots * wordBytes;
    this.#words = new Int32Array(buffer, 0, headWords + this.#slots);
    this.#codes = new Uint8Array(buffer, codesAt, this.#slots * codeLengthMax);
    this.#pictures = new Uint8Array(buffer, codesAt + this.#codes.length);
  }

  /** Captchas that can be taken. */
  get ready(): number {
    return Atomics.load(this.#words, readyAt);
  }

  /** Captchas that should still be drawn. */
  get missing(): number {
    const isUsed = Atomics.load(this.#words, takenAt) > 0;
    return Math.max(0, (isUsed ? this.#slots : Math.min(stockAtRest, this.#slots)) - this.ready);
  }

  take(): Captcha | undefined {
    if (this.ready <= 0) return undefined;
    const slot = this.#claim(ready);
    if (slot === undefined) return undefined;
    Atomics.sub(this.#words, readyAt, 1);
    Atomics.store(this.#words, takenAt, 1);
    const code = this.#codes.slice(slot * codeLengthMax, (slot + 1) * codeLengthMax);
    const at = slot * pictureBytes;
    const colours = this.#pictures.slice(at, at + pictureBytes);
    Atomics.store(this.#words, headWords + slot, free);
    return { code: Buffer.from(code).toString("latin1").replaceAll("\0", ""), colours };
  }

  /** @returns false if there is no room */
  add({ code, colours }: Captcha): boolean {
    const slot = this.#claim(free);
    if (slot === undefined) return false;
    const bytes = new Uint8Array(codeLengthMax);
    bytes.set(Buffer.from(code, "latin1").subarray(0, codeLengthMax));
    this.#codes.set(bytes, slot * codeLengthMax);
    this.#pictures.set(colours.subarray(0, pictureBytes), slot * pictureBytes);
    Atomics.store(this.#words, headWords + slot, ready);
    Atomics.add(this.#words, readyAt, 1);
    return true;
  }

  /** Finds a slot in this state, which no other thread then has. */
  #claim(state: number): number | undefined {
    for (let looked = 0; looked < this.#slots; looked++) {
      const slot = this.#next;
      this.#next = (slot + 1) % this.#slots;
      const was = Atomics.compareExchange(this.#words, headWords + slot, state, inUse);
      if (was === state) return slot;
    }
    return undefined;
  }
}
