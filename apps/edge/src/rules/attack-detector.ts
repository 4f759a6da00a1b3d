import {
  antibotLevels,
  type AntibotLevel,
  type Refusals,
  type RefusalReason,
  refusalReasons,
} from "@palisade/contract/edge/plain-values";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import {
  addLogin,
  type AttackKey,
  AttackTable,
  countedIn,
  finishedPlace,
  finishedSeconds,
  isOfSecond,
  loginsIn,
  word,
} from "./attack-table.ts";
import {
  type AttackStatus,
  datagramThreshold,
  isWithinAttack,
} from "@palisade/login-rules/attack-rules";
import type { AttackUpdate } from "./attack-state.ts";
import { networkHash, rankOf, registerCount, registerOf } from "./hyperloglog.ts";

const quiet: AttackStatus = { isUnderAttack: false, relaxedTo: null };
/** By `word.relaxed`, so that a login under attack makes no object. */
const underAttack: readonly AttackStatus[] = [null, ...antibotLevels].map((relaxedTo) => ({
  isUnderAttack: true,
  relaxedTo,
}));

/**
 * Counts logins of the running second by shield and detects attacks, for all workers of an edge
 * together: the first login over the threshold is an attack for every worker. Each step is one
 * atomic operation; a thread that dies half-way leaves at worst a slot that is free again a minute
 * later.
 *
 * Times come from a monotonic clock that all threads share (`process.hrtime`). If it is set back,
 * no attack ends early and none lasts longer than its time.
 */
export class AttackDetector {
  readonly #slots: AttackTable;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  static allocate({ slots }: { readonly slots?: number } = {}): SharedArrayBuffer {
    return AttackTable.allocate(slots);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#slots = new AttackTable(buffer);
    this.#words = this.#slots.words;
    this.#bytes = new Uint8Array(buffer);
  }

  /** Logins, by all threads, of shields whose attacks there was no room for. */
  get loginsWithoutSlot(): number {
    return this.#slots.unplaced;
  }

  /** Counts a login, whatever becomes of it. */
  login(key: AttackKey, ip: IpBytes, nowMs: number): AttackStatus {
    const second = secondOf(nowMs);
    const slot = this.#slots.take(key, second);
    if (slot === undefined) return quiet;
    const count = this.#countUp(slot, second);
    if (count > key.threshold) {
      raise(this.#words, slot + word.peak, count);
      this.#exceed(slot, word.excess, key, second);
    }
    const status = this.#statusOf(slot, second);
    if (status.isUnderAttack) {
      const hash = networkHash(ip);
      raiseByte(this.#bytes, (slot + word.registers) * 4 + registerOf(hash), rankOf(hash));
    }
    return status;
  }

  /**
   * Counts datagrams of Bedrock that belong to no player. An attack of theirs changes no check of logins,
   * because they open no connection.
   *
   * @param count of the running second, told once by the thread that has the shield's ports
   * @param registers of the networks they seem to come from
   * @returns whether they are an attack
   */
  flood(key: AttackKey, count: number, registers: Uint8Array, nowMs: number): boolean {
    const second = secondOf(nowMs);
    const isExcess = count > datagramThreshold(key);
    const slot = isExcess ? this.#slots.take(key, second) : this.#slots.find(key);
    if (slot === undefined) return false;
    const place = slot + word.floods + (second & (finishedSeconds - 1));
    Atomics.store(this.#words, place, countedIn(second, count));
    if (isExcess) {
      raise(this.#words, slot + word.floodPeak, loginsIn(countedIn(second, count), second));
      this.#exceed(slot, word.floodExcess, key, second);
    }
    if (!this.#isWithin(slot, word.floodExcess, second)) return false;
    for (const [index, rank] of registers.entries()) {
      raiseByte(this.#bytes, (slot + word.registers) * 4 + index, rank);
    }
    return true;
  }

  /** As `login` answers, without a login. */
  status(key: AttackKey, nowMs: number): AttackStatus {
    const slot = this.#slots.find(key);
    return slot === undefined ? quiet : this.#statusOf(slot, secondOf(nowMs));
  }

  /** A login was refused; counted while there is an attack. */
  refused(key: AttackKey, reason: RefusalReason, nowMs: number): void {
    const slot = this.#slots.find(key);
    if (slot === undefined || !this.#statusOf(slot, secondOf(nowMs)).isUnderAttack) return;
    Atomics.add(this.#words, slot + word.refused + refusalReasons.indexOf(reason), 1);
  }

  /** For how long it has been under attack; 0 if it is not. */
  ageMs(key: AttackKey, nowMs: number): number {
    const slot = this.#slots.find(key);
    const began = slot === undefined ? 0 : this.#word(slot + word.began);
    return began === 0 ? 0 : Math.max(0, secondOf(nowMs) + 1 - began) * 1_000;
  }

  /** Which attack it is, with one level of the owner's: another number than that of the one before. */
  attackNumber(key: AttackKey): number {
    const slot = this.#slots.find(key);
    return slot === undefined ? 0 : this.#word(slot + word.attack);
  }

  /**
   * Another level acts for the rest of the attack.
   *
   * @param before the one that has acted so far, null for the owner's
   * @returns false if there is no attack, or another thread was faster
   */
  relax(key: AttackKey, before: AntibotLevel | null, level: AntibotLevel, nowMs: number): boolean {
    const slot = this.#slots.find(key);
    if (slot === undefined || !this.#statusOf(slot, secondOf(nowMs)).isUnderAttack) return false;
    const was = before === null ? 0 : antibotLevels.indexOf(before) + 1;
    const next = antibotLevels.indexOf(level) + 1;
    return Atomics.compareExchange(this.#words, slot + word.relaxed, was, next) === was;
  }

  /**
   * The owner has changed the rules, or turned them off: a running attack is then over. A new level
   * of the owner's acts at once, whatever the old one was relaxed to.
   */
  adopt(before: AttackKey | undefined, after: AttackKey | undefined): void {
    const slot = before === undefined ? undefined : this.#slots.find(before);
    if (slot === undefined) return;
    if (after === undefined) return this.#slots.quieten(slot);
    Atomics.store(this.#words, slot + word.seconds, after.seconds);
    if (after.antibot === before?.antibot) return;
    Atomics.add(this.#words, slot + word.attack, 1);
    Atomics.store(this.#words, slot + word.relaxed, 0);
  }

  /** Takes away what was seen of the attacks that run, or have just ended; frees slots that rest. */
  drain(nowMs: number): AttackUpdate[] {
    const second = secondOf(nowMs);
    const update: AttackUpdate[] = [];
    for (const slot of this.#slots.used()) {
      const hasAttack =
        this.#word(slot + word.excess) !== 0 || this.#word(slot + word.floodExcess) !== 0;
      if (hasAttack) update.push(this.#take(slot, second));
      else this.#slots.freeRested(slot, second);
    }
    return update;
  }

  #take(slot: number, second: number): AttackUpdate {
    const began = this.#word(slot + word.began);
    // Read before the numbers, so that an attack that begins now is not taken for the one that
    // ended.
    const isOver =
      this.#isEnded(slot, word.excess, second) && this.#isEnded(slot, word.floodExcess, second);
    const datagrams = this.#latestDatagrams(slot, second);
    const datagramsPeak = Atomics.exchange(this.#words, slot + word.floodPeak, 0);
    if (isOver) {
      Atomics.add(this.#words, slot + word.attack, 1);
      Atomics.store(this.#words, slot + word.began, 0);
      this.#slots.forgetFlood(slot);
    }
    const relaxed = isOver
      ? Atomics.exchange(this.#words, slot + word.relaxed, 0)
      : this.#word(slot + word.relaxed);
    return {
      shieldId: this.#slots.shieldOf(slot),
      isOver,
      second,
      began: began === 0 ? second : began - 1,
      logins: this.#latestSeconds(slot, second),
      peak: Atomics.exchange(this.#words, slot + word.peak, 0),
      datagrams,
      datagramsPeak,
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

  #statusOf(slot: number, second: number): AttackStatus {
    if (!this.#isWithin(slot, word.excess, second)) return quiet;
    return underAttack[this.#word(slot + word.relaxed)] ?? quiet;
  }

  /** @param kind the word of the kind's last second in excess, here and below */
  #exceed(slot: number, kind: number, key: AttackKey, second: number): void {
    if (this.#words[slot + word.seconds] !== key.seconds) {
      Atomics.store(this.#words, slot + word.seconds, key.seconds);
    }
    raise(this.#words, slot + kind, second + 1);
    if (this.#word(slot + word.began) === 0) {
      Atomics.compareExchange(this.#words, slot + word.began, 0, second + 1);
    }
  }

  /** Whether the last excess of this kind was so lately that its attack goes on. */
  #isWithin(slot: number, kind: number, second: number): boolean {
    const excess = this.#word(slot + kind);
    if (excess === 0) return false;
    if (excess > second + 2) {
      // The clock was set back.
      Atomics.compareExchange(this.#words, slot + kind, excess, second + 1);
    }
    return isWithinAttack(excess - 1, second, this.#word(slot + word.seconds));
  }

  /** Ends the attack of this kind where its time is over. False while it goes on, or begins anew. */
  #isEnded(slot: number, kind: number, second: number): boolean {
    const excess = this.#word(slot + kind);
    if (this.#isWithin(slot, kind, second)) return false;
    return Atomics.compareExchange(this.#words, slot + kind, excess, 0) === excess;
  }

  #countUp(slot: number, second: number): number {
    const index = slot + word.count;
    for (;;) {
      const found = this.#word(index);
      const next = addLogin(found, second);
      if (Atomics.compareExchange(this.#words, index, found, next) !== found) continue;
      const logins = loginsIn(next, second);
      // The first login of a second: one thread alone sees what the second before has come to.
      if (logins === 1) {
        Atomics.store(this.#words, slot + word.finished + finishedPlace(found), found);
      }
      return logins;
    }
  }

  /** Logins of the latest seconds, the running one last. */
  #latestSeconds(slot: number, second: number): number[] {
    const running = this.#word(slot + word.count);
    return Array.from({ length: finishedSeconds }, (_, index) => {
      const at = second - finishedSeconds + 1 + index;
      if (isOfSecond(running, at)) return loginsIn(running, at);
      const found = this.#word(slot + word.finished + (at & (finishedSeconds - 1)));
      return isOfSecond(found, at) ? loginsIn(found, at) : 0;
    });
  }

  /** The same of datagrams; the running second has none yet, as a rule. */
  #latestDatagrams(slot: number, second: number): number[] {
    return Array.from({ length: finishedSeconds }, (_, index) => {
      const at = second - finishedSeconds + 1 + index;
      const found = this.#word(slot + word.floods + (at & (finishedSeconds - 1)));
      return isOfSecond(found, at) ? loginsIn(found, at) : 0;
    });
  }

  #word(index: number): number {
    return Atomics.load(this.#words, index);
  }
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
