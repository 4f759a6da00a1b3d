import { randomBytes } from "node:crypto";
import type { LoginAttempt } from "#src/protection/login-attempt.ts";
import { TtlSet } from "#src/protection/shared/ttl-set.ts";
import { type Key, SeededHash } from "#src/protection/shared/seeded-hash.ts";

/**
 * Players known for long who fail a check in numbers: then it is the check that is wrong, and the
 * shield's level relaxes for the rest of the attack.
 *
 * Whoever attacks could fail on purpose, too. So a regular is who was verified, by name and network,
 * `regularMs` before the attack began, which nobody can make up for in it; and of one network, as
 * of one name, only the first counts.
 */

/** Different regulars who fail within the window. A few of them fail on any day. */
export const regularsFailedMax = 5;
export const failureWindowMs = 120_000;
export const regularMs = 24 * 3_600_000;
const slotsDefault = 16_384;
const seedBytes = 8;

/** Keeps keys of different meaning apart. */
const kind = { name: 0, network: 1, place: 2 } as const;

/** Failures count together within one: of a shield, in one attack, while it has one level. */
export interface DetectionRound {
  /** Its id. */
  readonly shield: Uint8Array;
  /** `AttackDetector.attackNumber` */
  readonly attack: number;
}

export interface FalsePositiveBuffers {
  readonly marks: SharedArrayBuffer;
  readonly seed: Uint8Array;
}

/**
 * Regulars who have failed lately, as all threads of the edge have seen them: each takes a place of
 * his round's, for as long as his failure counts, and with the last place the level relaxes.
 */
export class FalsePositiveDetector {
  readonly #marks: TtlSet;
  readonly #hash: SeededHash;

  /** @param seed 8 bytes, of this start */
  static allocate(seed: Uint8Array, slots = slotsDefault): FalsePositiveBuffers {
    return { marks: TtlSet.allocate(slots), seed };
  }

  /** @param buffers where other threads have them too */
  constructor(
    { marks, seed }: FalsePositiveBuffers = FalsePositiveDetector.allocate(randomBytes(seedBytes)),
  ) {
    this.#marks = new TtlSet(marks, failureWindowMs);
    this.#hash = new SeededHash(seed);
  }

  /**
   * A regular was refused by a check that the level asks for.
   *
   * @returns true where the level is to relax; of several threads that see it at once more than one
   *   may be told
   */
  failed(
    round: DetectionRound,
    { name, ip }: Pick<LoginAttempt, "name" | "ip">,
    nowMs: number,
  ): boolean {
    const hasFailed = this.#marks.remainingMs(this.#nameKey(round, name), nowMs) > 0;
    if (hasFailed || !this.#take(this.#networkKey(round, ip), nowMs)) return false;
    if (!this.#take(this.#nameKey(round, name), nowMs)) return false;
    this.#takePlace(round, nowMs);
    for (let place = 0; place < regularsFailedMax; place++) {
      if (this.#marks.remainingMs(this.#placeKey(round, place), nowMs) === 0) return false;
    }
    return true;
  }

  #takePlace(round: DetectionRound, nowMs: number): void {
    for (let place = 0; place < regularsFailedMax; place++) {
      if (this.#take(this.#placeKey(round, place), nowMs)) return;
    }
  }

  #take(key: Key, nowMs: number): boolean {
    return this.#marks.take(key, nowMs, failureWindowMs);
  }

  #nameKey(round: DetectionRound, name: string): Key {
    return this.#begin(kind.name, round).addName(name).end();
  }

  /** IPv4 /24 or IPv6 /48: whoever has a line has all addresses of it, and may have a /48. */
  #networkKey(round: DetectionRound, ip: LoginAttempt["ip"]): Key {
    return this.#begin(kind.network, round)
      .add(ip, ip.length === 4 ? 3 : 6)
      .end();
  }

  #placeKey(round: DetectionRound, place: number): Key {
    return this.#begin(kind.place, round).addName(String(place)).end();
  }

  #begin(of: number, { shield, attack }: DetectionRound): SeededHash {
    return this.#hash.begin(of).add(shield).addName(`${attack} `);
  }
}
