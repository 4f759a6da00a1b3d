import { describe, expect, test } from "vitest";
import { balanceDurationOf } from "./balance-duration.ts";

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
  ] as const)("%j, with a card: %j", (given, hasCard, duration) =>
    expect(balanceDurationOf(given, hasCard)).toEqual(duration),
  );
});
