/** Kept of one shield in a second whatever comes. */
export const loginsPerShieldMax = 20;
/** And of all shields. */
export const loginsPerEdgeMax = 200;
/** Of those beyond, one in so many is kept. */
export const sampleOneIn = 64;
/** Together with the sample. */
const keptPerSecondMax = 400;
/** Shields with logins in a second, or of which some were left out. */
const shieldsMax = 10_000;

interface ShieldSample {
  /** In this second. */
  kept: number;
  /** Left out since one was kept last. */
  left: number;
}

/** Which logins are written down: all of them in quiet times, a sample under a flood. */
export class LoginSampler {
  readonly #shields = new Map<string, ShieldSample>();
  #kept = 0;
  #beyond = 0;

  /** @returns how many of the shield were left out before this one; undefined: so is this one */
  take(shieldId: string): number | undefined {
    const shield = this.#shieldOf(shieldId);
    const isQuiet = this.#kept < loginsPerEdgeMax && (shield?.kept ?? 0) < loginsPerShieldMax;
    const isSample = !isQuiet && ++this.#beyond % sampleOneIn === 0;
    if (shield === undefined || this.#kept >= keptPerSecondMax || !(isQuiet || isSample)) {
      if (shield !== undefined) shield.left++;
      return undefined;
    }
    const { left } = shield;
    shield.left = 0;
    shield.kept++;
    this.#kept++;
    return left;
  }

  /** Once a second. */
  tick(): void {
    this.#kept = 0;
    for (const [shieldId, shield] of this.#shields) {
      if (shield.left === 0) this.#shields.delete(shieldId);
      else shield.kept = 0;
    }
  }

  #shieldOf(shieldId: string): ShieldSample | undefined {
    const known = this.#shields.get(shieldId);
    if (known !== undefined || this.#shields.size >= shieldsMax) return known;
    const shield = { kept: 0, left: 0 };
    this.#shields.set(shieldId, shield);
    return shield;
  }
}
