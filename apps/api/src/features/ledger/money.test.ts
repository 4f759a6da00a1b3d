import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatCents,
  parseEuros,
  readCents,
  spendableCents,
  splitCharge,
} from "./money.service.ts";

const cents = fc.integer({ min: 0, max: 999_999_999_999_999 });
const balance = fc.record({
  cashCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  bonusCents: fc.integer({ min: 0, max: 1_000_000 }),
});

describe("amounts", () => {
  test("formatted cents always have two digits and read back as the same cents", () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const text = formatCents(amount);
        expect(text).toMatch(/^\d+\.\d\d$/);
        expect(parseEuros(text)).toBe(amount);
      }),
    );
  });

  test("whole euros need no decimals; a debt has its sign before the euros", () => {
    expect([parseEuros("20"), parseEuros("0.01"), parseEuros("0")]).toEqual([2_000, 1, 0]);
    expect([formatCents(-5), formatCents(-2_050), formatCents(7)]).toEqual([
      "-0.05",
      "-20.50",
      "0.07",
    ]);
  });

  test.each(
    ["1e3", "-1", "+1", "1.5", "1.234", "1,50", " 1", "1\n", "01", "", ".50", "1.", "0x10"].concat([
      "NaN",
      "Infinity",
      "１２",
      "٣",
      "9007199254740992",
    ]),
  )("%j is no amount", (typed) => {
    expect(parseEuros(typed)).toBeNull();
  });

  test("any text is either refused or read as exact cents", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String)), (typed) => {
        const amount = parseEuros(typed);
        if (amount === null) return;
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(formatCents(amount).replace(/\.00$/, "")).toBe(typed.replace(/\.00$/, ""));
      }),
    );
  });

  test("a column beyond the exact range of a number is refused", () => {
    expect(readCents("-9007199254740991")).toBe(-9_007_199_254_740_991);
    expect(() => readCents("9007199254740992")).toThrow(RangeError);
  });
});

describe("splitting a charge", () => {
  test("takes exactly the price, bonus only when cash is used up, and overdraws neither", () => {
    fc.assert(
      fc.property(balance, fc.integer({ min: 1, max: 2_000_000 }), (held, price) => {
        const split = splitCharge(held, price);
        if (split === null) {
          expect(price).toBeGreaterThan(spendableCents(held));
          return;
        }
        expect(split.cashCents + split.bonusCents).toBe(price);
        expect(split.cashCents).toBeGreaterThanOrEqual(0);
        expect(split.cashCents).toBeLessThanOrEqual(held.cashCents);
        expect(split.bonusCents).toBeGreaterThanOrEqual(0);
        expect(split.bonusCents).toBeLessThanOrEqual(held.bonusCents);
        if (split.bonusCents > 0) expect(split.cashCents).toBe(held.cashCents);
      }),
    );
  });

  test("an account in debt pays for nothing, whatever its bonus", () => {
    expect(splitCharge({ cashCents: -1, bonusCents: 5_000 }, 1)).toBeNull();
  });
});
