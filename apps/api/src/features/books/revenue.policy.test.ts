import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMonths } from "#src/features/subscriptions/billing-period.service.ts";
import { chargeOf, recogniseRevenue } from "./revenue.policy.ts";

const at = (text: string) => new Date(text);
const months = (...args: Parameters<typeof recogniseRevenue>) => [...recogniseRevenue(...args)];

describe("revenue is earned by the second", () => {
  test.each([
    ["within one month", "2026-11-01T00:00Z", "2026-12-01T00:00Z", [["2026-11", 3_000]]],
    [
      "half and half",
      "2026-11-16T00:00Z",
      "2026-12-16T00:00Z",
      [
        ["2026-11", 1_500],
        ["2026-12", 1_500],
      ],
    ],
    [
      "across a year",
      "2026-12-17T00:00Z",
      "2027-01-17T00:00Z",
      [
        ["2026-12", 1_451],
        ["2027-01", 1_549],
      ],
    ],
    ["at once", "2026-11-16T00:00Z", "2026-11-16T00:00Z", [["2026-11", 3_000]]],
  ] as const)("%s", (_, from, to, expected) => {
    expect(months([{ cents: 3_000, from: at(from), to: at(to) }])).toEqual(expected);
  });

  test("and no cent is lost or made, whatever the amounts and times; also of reversals", () => {
    const day = fc.date({
      min: at("2024-01-01T00:00Z"),
      max: at("2030-12-31T00:00Z"),
      noInvalidDate: true,
    });
    const charge = fc.record({
      cents: fc.integer({ min: -10_000_000, max: 10_000_000 }),
      from: day,
      days: fc.integer({ min: 0, max: 800 }),
    });
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 20 }), (made) => {
        const charges = made.map(({ cents, from, days }) => ({
          cents,
          from,
          to: new Date(from.getTime() + days * 86_400_000),
        }));
        const earned = [...recogniseRevenue(charges).values()];
        const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
        expect(sum(earned)).toBe(sum(charges.map(({ cents }) => cents)));
      }),
    );
  });
});

describe("the time that a txn pays for is", () => {
  const bought = at("2026-01-31T10:00Z");
  const row = (businessKey: string, paid: Date, anchorAt: Date | null = bought) =>
    chargeOf({ businessKey, cents: 900, at: paid, anchorAt, period: null, reversedAt: null });

  test("a month from a purchase on", () => {
    expect(row("purchase:x", bought)).toEqual({
      cents: 900,
      from: bought,
      to: at("2026-02-28T10:00Z"),
    });
  });

  test.each([1, 2, 3, 12, 13])(
    "of the renewal after %d months: to the next day of the anchor",
    (n) => {
      const end = addMonths(bought, n);
      const paid = new Date(end.getTime() - 86_400_000);
      expect(row(`renewal:x:${end.toISOString()}`, paid)).toEqual({
        cents: 900,
        from: end,
        to: addMonths(bought, n + 1),
      });
    },
  );

  test("the one that the invoice names, whatever the key", () => {
    const period = { from: at("2026-05-10T00:00Z"), to: at("2026-06-01T00:00Z") };
    for (const businessKey of ["upgrade:x:1", "support:x:1", "purchase:x"]) {
      expect(
        chargeOf({ businessKey, cents: 900, at: bought, anchorAt: null, period, reversedAt: null }),
      ).toEqual({ cents: 900, ...period });
    }
  });

  test("taken back by a reversal: the months to come, and at once what had been earned", () => {
    const period = { from: at("2026-11-16T00:00Z"), to: at("2027-02-16T00:00Z") };
    const txn = { businessKey: "support:x:1", cents: 9_200, at: bought, anchorAt: null, period };
    const reversedAt = at("2026-12-24T00:00Z");
    const charges = [
      chargeOf({ ...txn, reversedAt: null }),
      chargeOf({ ...txn, cents: -9_200, reversedAt }),
    ];
    expect(months(charges)).toEqual([
      ["2026-11", 1_500],
      ["2026-12", -1_500],
      ["2027-01", 0],
      ["2027-02", 0],
    ]);
  });

  test("from the payment of a late renewal on", () => {
    const late = at("2026-03-05T00:00Z");
    const { from, to } = row(`renewal:x:${at("2026-02-28T10:00Z").toISOString()}`, late, late);
    expect([from, to]).toEqual([late, at("2026-04-05T00:00Z")]);
  });

  test.each(["plan-change:x", "reversal:purchase:x", "renewal:x:soon", ""])(
    "nothing for %j, which is earned at once",
    (businessKey) => {
      const paid = at("2026-05-05T00:00Z");
      expect(row(businessKey, paid)).toEqual({ cents: 900, from: paid, to: paid });
    },
  );
});
