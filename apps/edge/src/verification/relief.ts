import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/shield-config";

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
/** Shields remembered at once; one more takes the place of the oldest. */
const shieldsMax = 4_096;

interface Failures {
  /** When each regular failed last, oldest first. */
  readonly byName: Map<string, number>;
  steps: number;
}

/** Of one shield, until the attack ends. */
export class LevelRelief {
  readonly #shields = new Map<string, Failures>();

  /**
   * A regular was refused by a check that the level asks for.
   *
   * @returns true where the level relaxes by one step more from now on
   */
  failed(shieldId: string, name: string, nowMs: number): boolean {
    const failures = this.#of(shieldId);
    const { byName } = failures;
    const key = name.toLowerCase();
    byName.delete(key);
    byName.set(key, nowMs);
    for (const [other, atMs] of byName) {
      if (nowMs - atMs < reliefWindowMs) break;
      byName.delete(other);
    }
    if (byName.size < regularsFailedMax || failures.steps === stepsMax) return false;
    failures.steps++;
    // The next step takes as many again.
    byName.clear();
    return true;
  }

  /** Steps by which the shield's level is relaxed now. */
  steps(shieldId: string): number {
    return this.#shields.get(shieldId)?.steps ?? 0;
  }

  /** The attack is over: the level is the owner's again. */
  ended(shieldId: string): void {
    this.#shields.delete(shieldId);
  }

  #of(shieldId: string): Failures {
    const known = this.#shields.get(shieldId);
    if (known !== undefined) return known;
    if (this.#shields.size >= shieldsMax) {
      for (const [oldest] of this.#shields) {
        this.#shields.delete(oldest);
        break;
      }
    }
    const failures: Failures = { byName: new Map(), steps: 0 };
    this.#shields.set(shieldId, failures);
    return failures;
  }
}

/** The level that acts where the owner's is relaxed by so many steps; `low` at the least. */
export function relaxed(level: AntibotLevel, steps: number): AntibotLevel {
  const at = antibotLevels.indexOf(level);
  return antibotLevels[Math.max(at - steps, Math.min(at, 1))] ?? level;
}
