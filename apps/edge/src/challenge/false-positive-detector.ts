import { randomBytes } from "node:crypto";
import type { LoginAttempt } from "@palisade/login-rules/login-attempt";
import { TtlSet } from "@palisade/shared-tables/shared-tables";
import { type Key, SeededHash } from "@palisade/shared-tables/seeded-hash";

/**
 * Detects false positives: if many players who have been known for long fail a challenge, the
 * challenge is wrong, and the shield's level relaxes for the rest of the attack.
 *
 * An attacker could fail on purpose too. So a regular is a player who was verified, by name and
 * network, `regularMs` before the attack began, which cannot be made up for during it; and of one
 * network, as of one name, only the first failure counts.
 */

/** Different regulars who fail within the window. A few of them fail on any day. */
export const regularsFailedMax = 5;
export const failureWindowMs = 120_000;
export const regularMs = 24 * 3_600_000;
const slotsDefault = 16_384;
const seedBytes = 8;

/** Keeps keys of different meaning apart. */
const kind = { name: 0, network: 1, place: 2 } as const;

/** Failures are counted per round: one shield, one attack, one level. */
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
 * Regulars who have failed lately, seen by all threads of the edge: each takes a place of the round
 * for as long as their failure counts, and with the last place the level relaxes.
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
   * A regular was refused by a challenge that the level asks for.
   *
   * @returns true if the level is to relax; several threads may get true at the same time
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

  /**
   * IPv4 /24 or IPv6 /48: the owner of one line has all its addresses, and may have a whole /48.
   */
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
