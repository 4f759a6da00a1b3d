import { antibotLevels, type AntibotLevel } from "@palisade/contract/edge/shield-config";
import {
  type Refusals,
  type RefusalReason,
  refusalReasons,
} from "@palisade/contract/edge/telemetry";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import {
  type AttackFacts,
  type AttackNews,
  type AttackRules,
  edgeAttackRules,
  lasts,
} from "./attack-state.ts";
import { networkHash, rankOf, registerCount, registerOf } from "./source-estimate.ts";

/** Of some 360 bytes: several times the shields that have logins within a second. */
const slotsDefault = 32_768;
/** Places a shield may lie in, from the one its id says. */
const probesMax = 16;
/** A slot without logins for this long is free again. */
const restSeconds = 60;

// A slot, in 32-bit words.
const word = {
  /** Last 8 bytes of the shield's id, written at once; 0: free. */
  key: 0,
  /** The first 8, written right after. */
  keyHigh: 2,
  /** The last second with logins, and how many: 14 and 18 bits. */
  count: 4,
  /** The last second in excess, and 1; 0: quiet. */
  excess: 5,
  /** For which the attack lasts after it. */
  seconds: 6,
  /** Most logins in a second since the last look. */
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

/** In place of a shield's id: the edge as a whole. */
const edgeHex = "f".repeat(32);

const countBits = 18;
const countMax = (1 << countBits) - 1;
const secondMask = (1 << (32 - countBits)) - 1;

const quiet: AttackFacts = { isUnderAttack: false, relaxedTo: null };
/** By `word.relaxed`, so that a login under attack makes no object. */
const underAttack: readonly AttackFacts[] = [null, ...antibotLevels].map((relaxedTo) => ({
  isUnderAttack: true,
  relaxedTo,
}));

/** A shield's attack rules, and its id as a slot has it: of a hundred thousand shields each has one. */
export interface AttackWatch extends AttackRules {
  readonly key0: number;
  readonly key1: number;
  readonly high0: number;
  readonly high1: number;
}

/** @param rules of a shield, whose id is a UUID, or of the edge as a whole */
export function watchOf(rules: AttackRules): AttackWatch {
  const hex = rules.shieldId?.replaceAll("-", "") ?? edgeHex;
  const bytes = Buffer.from(hex, "hex");
  return {
    ...rules,
    key0: bytes.readInt32LE(8),
    key1: bytes.readInt32LE(12),
    high0: bytes.readInt32LE(0),
    high1: bytes.readInt32LE(4),
  };
}

/** Of the edge as a whole. */
export const edgeWatch = watchOf(edgeAttackRules);

/**
 * Logins of the running second and attacks, by shield, shared by all workers of an edge: what one
 * of them counts the others see with their next login, so that an attack is one for all from the
 * login on that was too many. Every step is one atomic operation, and whoever dies in the middle
 * leaves at worst a slot that is free again a minute later.
 *
 * Constant in size: where all places of a shield are taken, the one of them that has no attack and
 * tells least of the running second is given up for it. A count of a second that is over tells
 * nothing, so that something is lost only where as many shields as a shield has places have logins
 * in one second. Where all of those are under attack it finds none, and `unplaced` counts that.
 *
 * Times are of a monotonic clock that all threads have in common (`process.hrtime`). One that is
 * set back all the same ends no attack early and lets none last longer than its time.
 */
export class AttackBoard {
  readonly #words: Int32Array;
  readonly #keys: BigUint64Array;
  readonly #bytes: Uint8Array;
  readonly #slots: number;

  static allocate({ slots = slotsDefault } = {}): SharedArrayBuffer {
    return new SharedArrayBuffer((slots * slotWords + tailWords) * 4);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#keys = new BigUint64Array(buffer);
    this.#bytes = new Uint8Array(buffer);
    this.#slots = (this.#words.length - tailWords) / slotWords;
  }

  /** Logins, by all threads, of shields that found no place and so have no attacks. */
  get unplaced(): number {
    return this.#word(this.#slots * slotWords) >>> 0;
  }

  /** Counts a login, whatever becomes of it. */
  login(watch: AttackWatch, ip: IpBytes, nowMs: number): AttackFacts {
    const second = secondOf(nowMs);
    const slot = this.#find(watch) ?? this.#claim(watch, second);
    if (slot === undefined) {
      Atomics.add(this.#words, this.#slots * slotWords, 1);
      return quiet;
    }
    const count = this.#countUp(slot + word.count, second);
    if (count > watch.threshold) {
      if (this.#words[slot + word.seconds] !== watch.seconds) {
        Atomics.store(this.#words, slot + word.seconds, watch.seconds);
      }
      raise(this.#words, slot + word.peak, count);
      raise(this.#words, slot + word.excess, second + 1);
      if (this.#word(slot + word.began) === 0) {
        Atomics.compareExchange(this.#words, slot + word.began, 0, second + 1);
      }
    }
    const facts = this.#facts(slot, second);
    if (facts.isUnderAttack) {
      const hash = networkHash(ip);
      raiseByte(this.#bytes, (slot + word.registers) * 4 + registerOf(hash), rankOf(hash));
    }
    return facts;
  }

  /** As `login` answers, without a login. */
  facts(watch: AttackWatch, nowMs: number): AttackFacts {
    const slot = this.#find(watch);
    return slot === undefined ? quiet : this.#facts(slot, secondOf(nowMs));
  }

  /** A login was refused; counted while there is an attack. */
  refused(watch: AttackWatch, reason: RefusalReason, nowMs: number): void {
    const slot = this.#find(watch);
    if (slot === undefined || !this.#facts(slot, secondOf(nowMs)).isUnderAttack) return;
    Atomics.add(this.#words, slot + word.refused + refusalReasons.indexOf(reason), 1);
  }

  /** For how long it has been under attack; 0 where it is not. */
  ageMs(watch: AttackWatch, nowMs: number): number {
    const slot = this.#find(watch);
    const began = slot === undefined ? 0 : this.#word(slot + word.began);
    return began === 0 ? 0 : Math.max(0, secondOf(nowMs) + 1 - began) * 1_000;
  }

  /** Which attack it is, with one level of the owner's: another number than that of the one before. */
  attackNumber(watch: AttackWatch): number {
    const slot = this.#find(watch);
    return slot === undefined ? 0 : this.#word(slot + word.attack);
  }

  /**
   * Another level acts for the rest of the attack.
   *
   * @param before the one that has acted so far, null for the owner's
   * @returns false where there is no attack, or another thread was faster
   */
  relax(
    watch: AttackWatch,
    before: AntibotLevel | null,
    level: AntibotLevel,
    nowMs: number,
  ): boolean {
    const slot = this.#find(watch);
    if (slot === undefined || !this.#facts(slot, secondOf(nowMs)).isUnderAttack) return false;
    const was = before === null ? 0 : antibotLevels.indexOf(before) + 1;
    const next = antibotLevels.indexOf(level) + 1;
    return Atomics.compareExchange(this.#words, slot + word.relaxed, was, next) === was;
  }

  /**
   * The owner has other rules now, or none: then a running attack is over. Another level of his acts
   * at once, whatever the one before was relaxed to.
   */
  adopt(before: AttackWatch | undefined, after: AttackWatch | undefined): void {
    const slot = before === undefined ? undefined : this.#find(before);
    if (slot === undefined) return;
    if (after === undefined) return this.#quieten(slot);
    Atomics.store(this.#words, slot + word.seconds, after.seconds);
    if (after.antibot === before?.antibot) return;
    Atomics.add(this.#words, slot + word.attack, 1);
    Atomics.store(this.#words, slot + word.relaxed, 0);
  }

  /** Takes away what was seen of the attacks that run, or have just ended; frees slots that rest. */
  drain(nowMs: number): AttackNews[] {
    const second = secondOf(nowMs);
    const news: AttackNews[] = [];
    const end = this.#slots * slotWords;
    for (let slot = 0; slot < end; slot += slotWords) {
      if (this.#word(slot) === 0 && this.#word(slot + 1) === 0) continue;
      const excess = this.#word(slot + word.excess);
      if (excess !== 0) news.push(this.#take(slot, excess, second));
      else if (this.#hasRested(slot, second)) this.#free(slot);
    }
    return news;
  }

  #take(slot: number, excess: number, second: number): AttackNews {
    // Before the numbers, so that what begins anew meanwhile is not taken for the one that ended.
    const isOver =
      !this.#facts(slot, second).isUnderAttack &&
      Atomics.compareExchange(this.#words, slot + word.excess, excess, 0) === excess;
    if (isOver) {
      Atomics.add(this.#words, slot + word.attack, 1);
      Atomics.store(this.#words, slot + word.began, 0);
    }
    const relaxed = isOver
      ? Atomics.exchange(this.#words, slot + word.relaxed, 0)
      : this.#word(slot + word.relaxed);
    return {
      shieldId: this.#idOf(slot),
      isOver,
      peak: Atomics.exchange(this.#words, slot + word.peak, 0),
      refused: this.#takeRefused(slot),
      registers: this.#takeRegisters(slot),
      relaxedTo: underAttack[relaxed]?.relaxedTo ?? null,
    };
  }

  #takeRefused(slot: number): Refusals {
    const refused: Refusals = {};
    for (const [index, reason] of refusalReasons.entries()) {
      const count = Atomics.exchange(this.#words, slot + word.refused + index, 0);
      if (count !== 0) refused[reason] = count >>> 0;
    }
    return refused;
  }

  #takeRegisters(slot: number): Uint8Array {
    const words = new Int32Array(registerCount / 4);
    for (let index = 0; index < words.length; index++) {
      words[index] = Atomics.exchange(this.#words, slot + word.registers + index, 0);
    }
    return new Uint8Array(words.buffer);
  }

  #facts(slot: number, second: number): AttackFacts {
    const excess = this.#word(slot + word.excess);
    if (excess === 0) return quiet;
    if (excess > second + 2) {
      // The clock was set back.
      Atomics.compareExchange(this.#words, slot + word.excess, excess, second + 1);
    }
    if (!lasts(excess - 1, second, this.#word(slot + word.seconds))) return quiet;
    return underAttack[this.#word(slot + word.relaxed)] ?? quiet;
  }

  #countUp(index: number, second: number): number {
    for (;;) {
      const found = this.#word(index);
      const isSame = isSecond(found, second);
      const count = Math.min(isSame ? (found & countMax) + 1 : 1, countMax);
      const next = ((isSame ? found >>> countBits : second & secondMask) << countBits) | count;
      if (Atomics.compareExchange(this.#words, index, found, next) === found) return count;
    }
  }

  #find(watch: AttackWatch): number | undefined {
    const { key0, key1 } = watch;
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = this.#slotOf(watch, probe);
      if (this.#word(slot) === key0 && this.#word(slot + 1) === key1) return slot;
    }
    return undefined;
  }

  #claim(watch: AttackWatch, second: number): number | undefined {
    // As two words in the order of every machine that Node 24 runs on.
    const key = (BigInt(watch.key1 >>> 0) << 32n) | BigInt(watch.key0 >>> 0);
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = this.#slotOf(watch, probe);
      const found = Atomics.compareExchange(this.#keys, slot / 2, 0n, key);
      if (found === key) return slot;
      if (found === 0n) return this.#settle(slot, watch);
    }
    const slot = this.#quietest(watch, second);
    if (slot === undefined) return undefined;
    const owner = Atomics.load(this.#keys, slot / 2);
    const found = Atomics.compareExchange(this.#keys, slot / 2, owner, key);
    // Another thread was faster, for this shield perhaps.
    if (found !== owner) return this.#find(watch);
    this.#clear(slot);
    return this.#settle(slot, watch);
  }

  #settle(slot: number, watch: AttackWatch): number {
    Atomics.store(this.#words, slot + word.keyHigh, watch.high0);
    Atomics.store(this.#words, slot + word.keyHigh + 1, watch.high1);
    return slot;
  }

  /** Of the places of a shield the one that tells least; undefined where all are under attack. */
  #quietest(watch: AttackWatch, second: number): number | undefined {
    let quietest: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (let probe = 0; probe < probesMax && fewest > 0; probe++) {
      const slot = this.#slotOf(watch, probe);
      if (this.#word(slot + word.excess) !== 0) continue;
      const count = this.#word(slot + word.count);
      const logins = isSecond(count, second) ? count & countMax : 0;
      if (logins >= fewest) continue;
      fewest = logins;
      quietest = slot;
    }
    return quietest;
  }

  #slotOf({ key0, key1 }: AttackWatch, probe: number): number {
    const place = Math.imul(key0 ^ Math.imul(key1, 0x9e37_79b1), 0x85eb_ca6b) >>> 8;
    return ((place + probe) % this.#slots) * slotWords;
  }

  #idOf(slot: number): string | null {
    const words = Int32Array.from([2, 3, 0, 1], (index) => this.#word(slot + index));
    const hex = Buffer.from(words.buffer).toString("hex");
    if (hex === edgeHex) return null;
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  #hasRested(slot: number, second: number): boolean {
    const age = (second - (this.#word(slot + word.count) >>> countBits)) & secondMask;
    return age >= restSeconds;
  }

  #quieten(slot: number): void {
    Atomics.store(this.#words, slot + word.excess, 0);
    Atomics.add(this.#words, slot + word.attack, 1);
    for (let index: number = word.peak; index < slotWords; index++) {
      if (index !== word.attack) Atomics.store(this.#words, slot + index, 0);
    }
  }

  #clear(slot: number): void {
    this.#quieten(slot);
    Atomics.store(this.#words, slot + word.count, 0);
  }

  #free(slot: number): void {
    this.#clear(slot);
    Atomics.store(this.#keys, slot / 2, 0n);
  }

  #word(index: number): number {
    return Atomics.load(this.#words, index);
  }
}

/** Whether it was counted in this second. Another thread may already be in the next one. */
function isSecond(count: number, second: number): boolean {
  return (((count >>> countBits) - second) & secondMask) <= 1;
}

function secondOf(nowMs: number): number {
  return Math.floor(nowMs / 1_000) & 0x3fff_ffff;
}

// One for each kind of array: shared by both, neither would be compiled to an instruction.

/** Keeps the greater of what is there and what comes. */
function raise(words: Int32Array, index: number, value: number): void {
  for (;;) {
    const found = Atomics.load(words, index);
    if (found >= value) return;
    if (Atomics.compareExchange(words, index, found, value) === found) return;
  }
}

function raiseByte(bytes: Uint8Array, index: number, value: number): void {
  for (;;) {
    const found = Atomics.load(bytes, index);
    if (found >= value) return;
    if (Atomics.compareExchange(bytes, index, found, value) === found) return;
  }
}
