import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replacementCents, upgradeCents } from "./plan-price.policy.ts";

const startsAt = new Date("2031-02-01T00:00:00Z");
const endsAt = new Date("2031-03-01T00:00:00Z");
const period = { priceCents: 900, startsAt, endsAt };
const at = (share: number) =>
  new Date(startsAt.getTime() + share * (endsAt.getTime() - startsAt.getTime()));

describe("the price of an upgrade", () => {
  test.each([
    ["at the start", startsAt, 2_000],
    ["in the middle", at(0.5), 1_000],
    ["a second after the start", new Date(startsAt.getTime() + 1_000), 1_999],
    ["in the last second", new Date(endsAt.getTime() - 1_000), 0],
    ["at the end", endsAt, 0],
    ["after it", at(1.5), 0],
    [
      "a day before a period that is paid already",
      new Date(startsAt.getTime() - 86_400_000),
      2_071,
    ],
  ])("%s is the difference for what is left, rounded down", (_, now, cents) => {
    expect(upgradeCents(period, 2_900, now)).toBe(cents);
  });

  test("never exceeds the difference within the period, and never grows with time", () => {
    const seconds = fc.integer({ min: 0, max: 28 * 86_400 });
    fc.assert(
      fc.property(seconds, seconds, fc.integer({ min: 901, max: 100_000 }), (a, b, price) => {
        const [early, late] = [Math.min(a, b), Math.max(a, b)].map(
          (second) => new Date(startsAt.getTime() + second * 1_000),
        ) as [Date, Date];
        const first = upgradeCents(period, price, early);
        expect(first).toBeLessThanOrEqual(price - 900);
        expect(upgradeCents(period, price, late)).toBeLessThanOrEqual(first);
      }),
    );
  });
});

describe("the price of a new period in place of another", () => {
  test.each([
    ["at the start", startsAt, 2_000],
    ["in the middle", at(0.5), 2_450],
    ["at the end", endsAt, 2_900],
    ["after it", at(1.5), 2_900],
  ])("%s is the new price less the unused part", (_, now, cents) => {
    expect(replacementCents(period, 2_900, now)).toBe(cents);
  });
});
