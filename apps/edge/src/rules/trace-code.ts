import { SeededHash } from "./shared/seeded-hash.ts";

/** Crockford's base 32: no I, L, O, U, so that a code survives being read aloud. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const characters = 8;
const numberBytes = 8;

/**
 * The codes that refused players can quote and that are in the edge's log. A code is a keyed hash of
 * the connection's number: however many of them a player has read, they cannot tell the next one, nor
 * how many connections there were.
 */
export class TraceCodes {
  readonly #hash: SeededHash;
  readonly #number = new Uint8Array(numberBytes);
  readonly #view = new DataView(this.#number.buffer);

  /** @param seed 8 random bytes of this start */
  constructor(seed: Uint8Array) {
    this.#hash = new SeededHash(seed);
  }

  /** @param connection its number since the edge started */
  of(connection: number): string {
    this.#view.setFloat64(0, connection);
    const { high: above, low: below } = this.#hash.begin(0).add(this.#number).end();
    let low = below;
    let high = above;
    let code = "";
    for (let index = 0; index < characters; index++) {
      code += alphabet.charAt(low & 31);
      low = (low >>> 5) | ((high & 31) << 27);
      high >>>= 5;
    }
    return code;
  }
}
