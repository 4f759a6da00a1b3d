import type { AttackRules } from "@palisade/login-rules/attack-rules";
import { edgeAttackRules } from "./attack-state.ts";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";
import { refusalReasons } from "@palisade/contract/edge/plain-values";
import { registerCount } from "./hyperloglog.ts";
import {
  full,
  irreplaceable,
  restAt,
  SharedHashTable,
  type TableLayout,
} from "@palisade/shared-tables/shared-hash-table";

/** Stands for the edge as a whole in place of a shield's id. */
const edgeHex = "f".repeat(32);
/** Words of an id. */
export const idWords = 4;
const idHash = new SeededHash(new Uint8Array(8));

/**
 * A shield's attack rules, and its id as a key of the shared table, which keeps all of it. Ids are
 * random and not chosen by strangers, so their hash needs no seed.
 */
export interface AttackKey extends AttackRules, Key {
  readonly rest: Int32Array;
}

/** @param rules of a shield, whose id is a UUID, or of the edge as a whole */
export function attackKeyOf(rules: AttackRules): AttackKey {
  const hex = rules.shieldId?.replaceAll("-", "") ?? edgeHex;
  const bytes = Buffer.from(hex, "hex");
  const rest = Int32Array.from({ length: idWords }, (_, n) => bytes.readInt32LE(4 * n));
  idHash.digest(bytes, bytes.length);
  return { ...rules, high: idHash.high, low: idHash.low, rest };
}

/** Key of the edge as a whole. */
export const edgeAttackKey = attackKeyOf(edgeAttackRules);

/**
 * The shield's id; null for the edge as a whole.
 *
 * @param rest of its key
 */
export function shieldIdOf(rest: Int32Array): string | null {
  const bytes = Buffer.alloc(4 * idWords);
  for (const [n, word] of rest.entries()) bytes.writeInt32LE(word, 4 * n);
  const hex = bytes.toString("hex");
  if (hex === edgeHex) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Logins of a second in one word: 14 bits of the second and 18 of how many, the last at the most. */
const countBits = 18;
const countMax = (1 << countBits) - 1;
const secondMask = (1 << (32 - countBits)) - 1;

/** Logins counted in this second. Another thread may already be in the next one. */
export function loginsIn(counted: number, second: number): number {
  return (((counted >>> countBits) - second) & secondMask) <= 1 ? counted & countMax : 0;
}

/** Whether something was counted in exactly this second. */
export function isOfSecond(counted: number, second: number): boolean {
  return (((counted >>> countBits) - second) & secondMask) === 0 && counted !== 0;
}

/** The place of a second among those that are kept. @param counted as it was at its end */
export function finishedPlace(counted: number): number {
  return (counted >>> countBits) & (finishedSeconds - 1);
}

/** None counted in this second so far. */
export function noLogins(second: number): number {
  return (second & secondMask) << countBits;
}

/** So many in this second, or as many as a word holds. */
export function countedIn(second: number, count: number): number {
  return noLogins(second) | Math.min(count, countMax);
}

/** With one more in this second. */
export function addLogin(counted: number, second: number): number {
  const logins = loginsIn(counted, second);
  if (logins === 0) return noLogins(second) | 1;
  return logins === countMax ? counted : (counted + 1) | 0;
}

/** Seconds since the last login; none if another thread is in the next one already. */
export function secondsSinceLogin(counted: number, second: number): number {
  const seconds = (second - (counted >>> countBits)) & secondMask;
  return seconds === secondMask ? 0 : seconds;
}

/** Slots of some 500 bytes: several times the shields that have logins within a second. */
const slotsDefault = 32_768;
/** A slot without logins for this long is free again. */
const restSeconds = 60;

/** Seconds that a slot keeps. */
export const finishedSeconds = 16;

/** Values of a slot in 32-bit words, behind the shield's id. */
const values = restAt + idWords;
const registersAt = values + 6 + refusalReasons.length;
const finishedAt = registersAt + registerCount / 4;
const floodAt = finishedAt + finishedSeconds;
/** A slot, in 32-bit words. */
export const word = {
  /** The state: the last second with logins, and how many: `packed-second.ts`. */
  count: 1,
  /** The last second in excess, and 1; 0: quiet. */
  excess: values,
  /** Seconds for which the attack lasts after it. */
  seconds: values + 1,
  /** Most logins in a second since the last drain. */
  peak: values + 2,
  /** Number of the level that acts instead of the owner's, and 1. */
  relaxed: values + 3,
  /** The second in which the attack began, and 1. */
  began: values + 4,
  /** Counts attacks that are over, and changes of the owner's level. */
  attack: values + 5,
  refused: values + 6,
  registers: registersAt,
  /** Finished seconds with logins, each as `count` was at its end, by the second's last four bits. */
  finished: finishedAt,
  /** As `excess` and `peak`, of datagrams that belong to no player. */
  floodExcess: floodAt,
  floodPeak: floodAt + 1,
  /** As `finished`, of these datagrams. */
  floods: floodAt + 2,
} as const;
const end = word.floods + finishedSeconds;

/** Behind the slots: logins of shields that found no place. */
const layout: TableLayout = {
  reach: 16,
  restWords: idWords,
  valueWords: end - values,
  tailWords: 2,
};

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
  readonly #table: SharedHashTable;

  /** @param slots a power of two */
  static allocate(slots = slotsDefault): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#table = new SharedHashTable(buffer, layout, (logins, second, slot) =>
      this.#worthOf(logins, second, slot),
    );
    this.words = this.#table.words;
  }

  /** Logins, by all threads, of shields that found no place and so have no attacks. */
  get unplaced(): number {
    return this.#word(this.#table.tail) >>> 0;
  }

  find(key: AttackKey): number | undefined {
    const slot = this.#table.find(key);
    return slot < 0 ? undefined : slot;
  }

  /** The shield's slot for a login; undefined, and counted, if there is none. */
  take(key: AttackKey, second: number): number | undefined {
    for (;;) {
      const found = this.#table.find(key);
      if (found >= 0) return found;
      const slot = this.#table.claim(key, noLogins(second), second);
      if (slot === full) {
        Atomics.add(this.words, this.#table.tail, 1);
        return undefined;
      }
      if (slot < 0) continue;
      this.#forget(slot);
      this.#clear(slot + word.finished, finishedSeconds);
      this.forgetFlood(slot);
      if (this.#table.settle(slot, key)) return slot;
    }
  }

  /** Slots in use. */
  used(): Generator<number> {
    return this.#table.used();
  }

  /** The slot's shield; null for the edge as a whole. */
  shieldOf(slot: number): string | null {
    return shieldIdOf(this.words.slice(slot + restAt, slot + restAt + idWords));
  }

  /** Ends the attack in the slot. */
  quieten(slot: number): void {
    Atomics.store(this.words, slot + word.excess, 0);
    Atomics.add(this.words, slot + word.attack, 1);
    for (let index: number = word.peak; index < end; index++) {
      if (index !== word.attack) Atomics.store(this.words, slot + index, 0);
    }
  }

  /** Clears what a flood of datagrams has left. */
  forgetFlood(slot: number): void {
    this.#clear(slot + word.floodExcess, end - word.floodExcess);
  }

  /** Frees a slot that has had no logins for a while. A later shield, or the same, may take it. */
  freeRested(slot: number, second: number): void {
    const logins = this.#word(slot + word.count);
    if (logins === 0 || secondsSinceLogin(logins, second) < restSeconds) return;
    this.#forget(slot);
    // A login at this moment keeps the slot.
    this.#table.replace(slot, logins, 0);
  }

  /** Clears what an attack has left, if there was one: then its time is in the slot. */
  #forget(slot: number): void {
    if (this.#word(slot + word.seconds) !== 0) this.quieten(slot);
  }

  /** A slot that is free comes first, then shields without an attack, by their logins. */
  #worthOf(logins: number, second: number, slot: number): number {
    if (this.#word(slot + word.excess) !== 0 || this.#word(slot + word.floodExcess) !== 0) {
      return irreplaceable;
    }
    return logins === 0 ? 0 : 1 + loginsIn(logins, second);
  }

  #clear(from: number, words: number): void {
    for (let index = from; index < from + words; index++) Atomics.store(this.words, index, 0);
  }

  #word(index: number): number {
    return Atomics.load(this.words, index);
  }
}
