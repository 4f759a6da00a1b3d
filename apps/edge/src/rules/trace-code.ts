/** Crockford's base 32: no I, L, O, U, so that a code survives being read aloud. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const characters = 8;

/**
 * The code a refused player can quote and that stands in the edge's log. It says
 * nothing to the player about others: connection numbers are mixed with the seed.
 */
export function traceCode(bootSeed: number, connection: number): string {
  let high = mix(bootSeed ^ connection);
  let low = mix(high ^ Math.imul(connection, 0x9e3779b1));
  let code = "";
  for (let index = 0; index < characters; index++) {
    code += alphabet.charAt(low & 31);
    low = (low >>> 5) | ((high & 31) << 27);
    high >>>= 5;
  }
  return code;
}

/** Finaliser of MurmurHash3: every input bit moves every output bit. */
function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
