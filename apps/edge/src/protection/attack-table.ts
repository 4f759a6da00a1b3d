import { refusalReasons } from "@palisade/contract/edge/telemetry";
import { type AttackKey, shieldIdOf } from "./attack-key.ts";
import { loginsIn, secondsSinceLogin } from "./packed-second.ts";
import { registerCount } from "./hyperloglog.ts";

/** Slots of some 360 bytes: several times the shields that have logins within a second. */
const slotsDefault = 32_768;
/** Slots a shield may lie in, from the one that its id gives. */
const probesMax = 16;
/** A slot without logins for this long is free again. */
const restSeconds = 60;

/** A slot, in 32-bit words. */
export const word = {
  /** Last 8 bytes of the shield's id, written at once; 0: free. */
  key: 0,
  /** The first 8, written right after. */
  keyHigh: 2,
  /** The last second with logins, and how many: `packed-second.ts`. */
  count: 4,
  /** The last second in excess, and 1; 0: quiet. */
  excess: 5,
  /** Seconds for which the attack lasts after it. */
  seconds: 6,
  /** Most logins in a second since the last drain. */
  peak: 7,
  /** Number of the level that acts instead of the owner's, and 1. */
  relaxed: 8,
  /** The second in which the attack began, and 1. */
  began: 9,
  /** Counts attacks that are over, and changes of the owner's level. */
  attack: 10,
  refused: 11,
  registers: 11 + refusalReasons.length,
} as const;
/** Even, so that keys lie on 8 bytes. */
const slotWords = 2 * Math.ceil((word.registers + registerCount / 4) / 2);
/** Behind the slots: logins of shields that found no place. Two words, since keys take two. */
const tailWords = 2;

/**
 * Slots of the attack detector, by shield.
 *
 * The size is constant: if all slots a shield may lie in are taken, the one without an attack and
 * with the fewest logins in the running second is given up. A count of a second that is over is
 * worth nothing, so a count is lost only if as many shields as a shield has slots have logins in
 * one second. If all of them are under attack, the shield finds none, and `unplaced` counts that.
 */
export class AttackTable {
  readonly words: Int32Array;
  readonly #keys: BigUint64Array;
  readonly #slots: number;

  static allocate(slots = slotsDefault): SharedArrayBuffer {
    return new SharedArrayBuffer((slots * slotWords + tailWords) * 4);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.words = new Int32Array(buffer);
    this.#keys = new BigUint64Array(buffer);
    this.#slots = (this.words.length - tailWords) / slotWords;
  }

  /** Logins, by all threads, of shields that found no place and so have no attacks. */
  get unplaced(): number {
    return this.#word(this.#slots * slotWords) >>> 0;
  }

  find(key: AttackKey): number | undefined {
    const { key0, key1 } = key;
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = this.#slotOf(key, probe);
      if (this.#word(slot) === key0 && this.#word(slot + 1) === key1) return slot;
    }
    return undefined;
  }

  /** The shield's slot for a login; undefined, and counted, if there is none. */
  take(key: AttackKey, second: number): number | undefined {
    const slot = this.find(key) ?? this.#claim(key, second);
    if (slot === undefined) Atomics.add(this.words, this.#slots * slotWords, 1);
    return slot;
  }

  /** Slots in use. */
  *used(): Generator<number> {
    const end = this.#slots * slotWords;
    for (let slot = 0; slot < end; slot += slotWords) {
      if (this.#word(slot) !== 0 || this.#word(slot + 1) !== 0) yield slot;
    }
  }

  /** The slot's shield; null for the edge as a whole. */
  shieldOf(slot: number): string | null {
    const at = (index: number): number => this.#word(slot + index);
    return shieldIdOf([at(word.key), at(word.key + 1), at(word.keyHigh), at(word.keyHigh + 1)]);
  }

  /** Ends the attack in the slot. */
  quieten(slot: number): void {
    Atomics.store(this.words, slot + word.excess, 0);
    Atomics.add(this.words, slot + word.attack, 1);
    for (let index: number = word.peak; index < slotWords; index++) {
      if (index !== word.attack) Atomics.store(this.words, slot + index, 0);
    }
  }

  /** Frees a slot that has had no logins for a while. */
  freeRested(slot: number, second: number): void {
    if (secondsSinceLogin(this.#word(slot + word.count), second) < restSeconds) return;
    this.#clear(slot);
    Atomics.store(this.#keys, slot / 2, 0n);
  }

  #claim(key: AttackKey, second: number): number | undefined {
    // As two words in the order of every machine that Node 24 runs on.
    const packed = (BigInt(key.key1 >>> 0) << 32n) | BigInt(key.key0 >>> 0);
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = this.#slotOf(key, probe);
      const found = Atomics.compareExchange(this.#keys, slot / 2, 0n, packed);
      if (found === packed) return slot;
      if (found === 0n) return this.#settle(slot, key);
    }
    const slot = this.#quietest(key, second);
    if (slot === undefined) return undefined;
    const owner = Atomics.load(this.#keys, slot / 2);
    const found = Atomics.compareExchange(this.#keys, slot / 2, owner, packed);
    // Another thread was faster, for this shield perhaps.
    if (found !== owner) return this.find(key);
    this.#clear(slot);
    return this.#settle(slot, key);
  }

  #settle(slot: number, key: AttackKey): number {
    Atomics.store(this.words, slot + word.keyHigh, key.high0);
    Atomics.store(this.words, slot + word.keyHigh + 1, key.high1);
    return slot;
  }

  /** The shield's slot with the fewest logins; undefined if all are under attack. */
  #quietest(key: AttackKey, second: number): number | undefined {
    let quietest: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (let probe = 0; probe < probesMax && fewest > 0; probe++) {
      const slot = this.#slotOf(key, probe);
      if (this.#word(slot + word.excess) !== 0) continue;
      const logins = loginsIn(this.#word(slot + word.count), second);
      if (logins >= fewest) continue;
      fewest = logins;
      quietest = slot;
    }
    return quietest;
  }

  #slotOf({ key0, key1 }: AttackKey, probe: number): number {
    const place = Math.imul(key0 ^ Math.imul(key1, 0x9e37_79b1), 0x85eb_ca6b) >>> 8;
    return ((place + probe) % this.#slots) * slotWords;
  }

  #clear(slot: number): void {
    this.quieten(slot);
    Atomics.store(this.words, slot + word.count, 0);
  }

  #word(index: number): number {
    return Atomics.load(this.words, index);
  }
}
