/**
 * HalfSipHash-2-4 with a result of 32 bits: a keyed hash of short inputs in words of 32 bits, which
 * JavaScript computes without big numbers. Source: J.-P. Aumasson and D. J. Bernstein, "SipHash", and
 * the reference code of HalfSipHash, github.com/veorq/SipHash.
 *
 * @param key two words of 32 bits
 * @param input at most 255 bytes
 * @returns an integer from 0 to 2^32 - 1
 */
export function halfSipHash(key: Uint32Array, input: Uint8Array): number {
  const [low = 0, high = 0] = key;
  let v0 = low;
  let v1 = high;
  let v2 = 0x6c_79_67_65 ^ low;
  let v3 = 0x74_65_64_62 ^ high;
  const { length } = input;
  const wholeBytes = length & ~3;
  for (let at = 0; at <= wholeBytes; at += 4) {
    const isLast = at === wholeBytes;
    const word = wordAt(input, at) | (isLast ? length << 24 : 0);
    v3 ^= word;
    for (let round = 0; round < 2; round += 1) {
      v0 = (v0 + v1) | 0;
      v1 = rotate(v1, 5) ^ v0;
      v0 = rotate(v0, 16);
      v2 = (v2 + v3) | 0;
      v3 = rotate(v3, 8) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = rotate(v3, 7) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = rotate(v1, 13) ^ v2;
      v2 = rotate(v2, 16);
    }
    v0 ^= word;
  }
  v2 ^= 0xff;
  for (let round = 0; round < 4; round += 1) {
    v0 = (v0 + v1) | 0;
    v1 = rotate(v1, 5) ^ v0;
    v0 = rotate(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotate(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotate(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotate(v1, 13) ^ v2;
    v2 = rotate(v2, 16);
  }
  return (v1 ^ v3) >>> 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Little-endian; bytes behind the end are zero. */
function wordAt(input: Uint8Array, at: number): number {
  return (
    (input[at] ?? 0) |
    ((input[at + 1] ?? 0) << 8) |
    ((input[at + 2] ?? 0) << 16) |
    ((input[at + 3] ?? 0) << 24)
  );
}
