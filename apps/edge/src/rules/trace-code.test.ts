import { describe, expect, test } from "vitest";
import { TraceCodes } from "./trace-code.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeBits = 40n;

/** The 40 bits that a code stands for. */
function bitsOf(code: string): bigint {
  return [...code].reduce((bits, letter) => (bits << 5n) | BigInt(alphabet.indexOf(letter)), 0n);
}

/** All that a player knows about connection `n`: its number, and the code of the one before. */
function known(codes: readonly bigint[], n: number): bigint {
  return (BigInt(n) << (codeBits + 1n)) | ((codes[n - 1] ?? 0n) << 1n) | 1n;
}

/**
 * Learns how each bit of a code is a sum (exclusive or) of bits that are known, by elimination: it
 * finds any counter, shift register or other linear generator, whatever its secret start is.
 */
function learnLinear(codes: readonly bigint[], count: number): (facts: bigint) => bigint {
  const steps: { facts: bigint; code: bigint; bit: bigint }[] = [];
  const reduce = (facts: bigint, code: bigint) => {
    for (const step of steps) {
      if ((facts & step.bit) === 0n) continue;
      facts ^= step.facts;
      code ^= step.code;
    }
    return { facts, code };
  };
  for (let n = 1; n < count; n++) {
    const { facts, code } = reduce(known(codes, n), codes[n] ?? 0n);
    if (facts !== 0n) steps.push({ facts, code, bit: facts & -facts });
  }
  return (facts) => reduce(facts, 0n).code;
}

describe("trace codes", () => {
  const codesOf = (seed: string, count: number): string[] => {
    const codes = new TraceCodes(Buffer.from(seed));
    return Array.from({ length: count }, (_, connection) => codes.of(connection));
  };

  test("are 8 letters and digits and do not repeat", () => {
    const codes = new Set(codesOf("8 random", 50_000));
    expect(codes.size).toBe(50_000);
    for (const code of codes) if (!/^[0-9A-HJKMNP-TV-Z]{8}$/.test(code)) expect(code).toBe("valid");
  });

  test("cannot be predicted: another seed gives other codes, though all but one bit are the same", () => {
    const ours = new Set(codesOf("8 random", 5_000));
    expect(codesOf("8 randoo", 5_000).filter((code) => ours.has(code))).toEqual([]);
  });

  test("tell nothing of the number: the next connection changes each character as chance would", () => {
    const codes = codesOf("8 random", 20_001);
    for (let at = 0; at < 8; at++) {
      const same = codes.filter((code, n) => n > 0 && code[at] === codes[n - 1]?.[at]).length;
      // One of 32 by chance: 625, with a standard deviation of 25.
      expect(Math.abs(same - 625)).toBeLessThan(150);
    }
  });

  describe("are not told by those that a player has read", () => {
    // No bit of a number is set for the first time in those that are asked.
    const seen = 1_048;
    const asked = 1_000;

    /** How many of the next codes, and how many times each of their bits, were foretold. */
    function foretold(codes: readonly bigint[]) {
      const foretell = learnLinear(codes, seen);
      const bits = Array.from({ length: Number(codeBits) }, () => 0);
      let whole = 0;
      for (let n = seen; n < seen + asked; n++) {
        const wrong = foretell(known(codes, n)) ^ (codes[n] ?? 0n);
        if (wrong === 0n) whole++;
        for (const bit of bits.keys()) {
          bits[bit] = (bits[bit] ?? 0) + Number(((wrong >> BigInt(bit)) & 1n) === 0n);
        }
      }
      return { whole, bits };
    }

    test.each<[string, (n: number, before: bigint) => bigint]>([
      ["a counter with a secret mask", (n) => BigInt(n) ^ 0x5a_1234_abcdn],
      ["a shift register", (_, before) => (before >> 1n) ^ (before & 1n ? 0xd8_0000_0001n : 0n)],
    ])("the codes of %s would be", (_, next) => {
      const codes = [0x12_3456_789an];
      for (let n = 1; n < seen + asked; n++) codes.push(next(n, codes[n - 1] ?? 0n));
      expect(foretold(codes).whole).toBe(asked);
    });

    test("ours are guessed no better than by tossing a coin for each bit", () => {
      const { whole, bits } = foretold(codesOf("8 random", seen + asked).map(bitsOf));
      expect(whole).toBe(0);
      // Half of 1,000, with a standard deviation of 16.
      for (const right of bits) expect(Math.abs(right - asked / 2)).toBeLessThan(80);
    });
  });
});
