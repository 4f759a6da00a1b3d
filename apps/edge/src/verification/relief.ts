import { randomBytes } from "node:crypto";
import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/shield-config";
import { MarkTable } from "#src/protection/shared/mark-table.ts";
import { type Key, SeededHash } from "#src/protection/shared/seeded-hash.ts";

/**
 * Players known for days who are refused in numbers: then it is the check that is wrong, and the
 * shield's level relaxes by one step for the rest of the attack.
 *
 * A name alone makes nobody a regular here, since names are public and an attacker could fail
 * under them on purpose: the caller asks by name and network.
 */

/** Different regulars who fail within the window. A few of them fail on any day. */
export const regularsFailedMax = 5;
export const reliefWindowMs = 120_000;
/** An attack can relax a level no further. */
const stepsMax = 2;
const slotsDefault = 16_384;
const seedBytes = 8;

/** Keeps keys of different meaning apart. */
const kind = { regular: 0, place: 1 } as const;

/** Failures count together within one: of a shield, in one attack, while one level acts. */
export interface ReliefRound {
  readonly shieldId: string;
  readonly attack: number;
  /** By which the level is relaxed already. */
  readonly steps: number;
}

export interface ReliefBuffers {
  readonly marks: SharedArrayBuffer;
  readonly seed: Uint8Array;
}

/**
 * Regulars who have failed lately, as all threads of the edge have seen them: each takes a place of
 * his round's, for as long as his failure counts, and with the last place the level relaxes.
 */
export class LevelRelief {
  readonly #marks: MarkTable;
  readonly #hash: SeededHash;

  /** @param seed 8 bytes, of this start */
  static allocate(seed: Uint8Array, slots = slotsDefault): ReliefBuffers {
    return { marks: MarkTable.allocate(slots), seed };
  }

  /** @param buffers where other threads have them too */
  constructor({ marks, seed }: ReliefBuffers = LevelRelief.allocate(randomBytes(seedBytes))) {
    this.#marks = new MarkTable(marks, reliefWindowMs);
    this.#hash = new SeededHash(seed);
  }

  /**
   * A regular was refused by a check that the level asks for.
   *
   * @returns true where the level is to relax by one step; of several threads that see it at once
   *   more than one may be told
   */
  failed(round: ReliefRound, name: string, nowMs: number): boolean {
    if (round.steps >= stepsMax) return false;
    const isFirst = this.#marks.take(this.#key(kind.regular, round, name), nowMs, reliefWindowMs);
    if (!isFirst) return false;
    this.#takePlace(round, nowMs);
    for (let place = 0; place < regularsFailedMax; place++) {
      if (this.#marks.remainingMs(this.#placeKey(round, place), nowMs) === 0) return false;
    }
    return true;
  }

  #takePlace(round: ReliefRound, nowMs: number): void {
    for (let place = 0; place < regularsFailedMax; place++) {
      if (this.#marks.take(this.#placeKey(round, place), nowMs, reliefWindowMs)) return;
    }
  }

  #placeKey(round: ReliefRound, place: number): Key {
    return this.#key(kind.place, round, String(place));
  }

  #key(of: number, { shieldId, attack, steps }: ReliefRound, what: string): Key {
    return this.#hash.begin(of).addName(`${what} ${steps} ${attack} ${shieldId}`).end();
  }
}

/** The level that acts where the owner's is relaxed by so many steps; `low` at the least. */
export function relaxed(level: AntibotLevel, steps: number): AntibotLevel {
  const at = antibotLevels.indexOf(level);
  return antibotLevels[Math.max(at - steps, Math.min(at, 1))] ?? level;
}
