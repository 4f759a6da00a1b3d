import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bonusCentsOf } from "./promo-codes.policy.ts";

describe("a bonus", () => {
  test("is its percentage of the amount, rounded down to whole cents", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 100_000 }),
        fc.integer({ min: 1, max: 100 }),
        (amountCents, percentage) => {
          const bonus = bonusCentsOf(amountCents, percentage);
          expect(Number.isInteger(bonus)).toBe(true);
          const rest = amountCents * percentage - bonus * 100;
          expect(rest).toBeGreaterThanOrEqual(0);
          expect(rest).toBeLessThan(100);
        },
      ),
    );
  });
});
