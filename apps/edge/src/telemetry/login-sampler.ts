import type { PerSecondQuota } from "./per-second-quota.ts";

/** Logins kept of one shield in a second in any case. */
export const loginsPerShieldMax = 20;
/** The same for all shields together. */
export const loginsPerEdgeMax = 200;
/**
 * Beyond that the first ones of each shield are kept, so that a flood on one hides no player of
 * another.
 */
const firstsPerShieldMax = 2;
const firstsPerEdgeMax = 100;
/** Every nth of the others is kept. */
export const sampleOneIn = 64;
/** Limit of that sample; it takes no place of the others. */
const samplePerEdgeMax = 100;
/** Shields of which some were left out. */
const shieldsMax = 10_000;

/**
 * Chooses which logins are logged: all of them in quiet times, a sample under a flood. All threads
 * together count what is kept in a second; each reports the logins it has skipped itself.
 */
export class LoginSampler {
  readonly #quota: PerSecondQuota;
  readonly #of: "joined" | "refused";
  /** By shield: left out since one was kept last. */
  readonly #left = new Map<string, number>();
  #beyond = 0;

  constructor(quota: PerSecondQuota, of: "joined" | "refused") {
    this.#quota = quota;
    this.#of = of;
  }

  /** @returns how many of the shield were left out before this one; undefined: so is this one */
  take(shieldId: string): number | undefined {
    const left = this.#left.get(shieldId) ?? 0;
    if (!this.#isKept(shieldId)) {
      if (left > 0 || this.#left.size < shieldsMax) this.#left.set(shieldId, left + 1);
      return undefined;
    }
    if (left > 0) this.#left.delete(shieldId);
    return left;
  }

  #isKept(shieldId: string): boolean {
    const quota = this.#quota;
    const of = this.#of;
    if (quota.take(of, loginsPerShieldMax, shieldId)) {
      if (quota.take(of, loginsPerEdgeMax)) return true;
      const isFirst = quota.taken(of, shieldId) <= firstsPerShieldMax;
      if (isFirst && quota.take(of, firstsPerEdgeMax, "firsts")) return true;
    }
    return ++this.#beyond % sampleOneIn === 0 && quota.take(of, samplePerEdgeMax, "sample");
  }
}
