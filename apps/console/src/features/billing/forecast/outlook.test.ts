import { describe, expect, test } from "vitest";
import { eurosFor, outlookOf, shortageOf } from "./outlook.ts";

const renewal = (name: string, priceCents: number, covered: boolean | null) => ({
  server_id: null,
  name,
  charge_at: "2031-03-01T00:00:00.000Z",
  price: (priceCents / 100).toFixed(2),
  price_cents: priceCents,
  covered,
});

describe("the shortage", () => {
  test("names the first renewal without cover, and what all of them lack together", () => {
    const renewals = [
      renewal("paid", 900, true),
      renewal("not from the balance", 5_000, null),
      renewal("first", 1_900, false),
      renewal("second", 1_900, false),
    ];
    expect(shortageOf({ renewals }, 1_000)).toEqual({ renewal: renewals[2], missingCents: 3_700 });
  });

  test("counts a debt", () => {
    const renewals = [renewal("one", 900, false)];
    expect(shortageOf({ renewals }, -500)?.missingCents).toBe(1_400);
  });

  test("is never below zero, when the balance was read after a top-up and the forecast before", () => {
    const renewals = [renewal("one", 900, false)];
    expect(shortageOf({ renewals }, 2_000)?.missingCents).toBe(0);
  });

  test("is null while everything is covered, or not paid from the balance", () => {
    const renewals = [renewal("one", 900, true), renewal("two", 900, null)];
    expect(shortageOf({ renewals }, 0)).toBeNull();
  });

  test.each([
    [0, 1],
    [1, 1],
    [100, 1],
    [101, 2],
  ])("%d cents are topped up with %d euros", (cents, whole) => expect(eurosFor(cents)).toBe(whole));
});

describe("how long the balance lasts", () => {
  const forecast = (at: string | null, monthly: number) => ({
    balance_lasts_until: at,
    monthly: (monthly / 100).toFixed(2),
    monthly_cents: monthly,
    renewals: [],
  });
  const at = "2031-03-01T00:00:00.000Z";
  test.each([
    [forecast(null, 0), false, { kind: "nothing" }],
    [forecast(null, 0), true, { kind: "nothing" }],
    [forecast(at, 900), false, { kind: "until", at }],
    [forecast(null, 900), false, { kind: "long" }],
    [forecast(null, 900), true, { kind: "card" }],
  ] as const)("%j, with a card: %j", (given, hasCard, outlook) =>
    expect(outlookOf(given, hasCard)).toEqual(outlook),
  );
});
