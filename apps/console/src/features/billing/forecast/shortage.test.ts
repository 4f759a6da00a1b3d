import { describe, expect, test } from "vitest";
import { shortageOf } from "./shortage.ts";

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
});
