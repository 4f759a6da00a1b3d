import { describe, expect, test } from "vitest";
import { monthsLater } from "./calendar.ts";
import { checkPaidHistory, type Charge } from "./paid-history.ts";

const at = (text: string): number => Date.parse(text);
const bought = at("2028-01-31T10:00Z");
const ends = (months: number): number => monthsLater(bought, months);
const iso = (ms: number): string => new Date(ms).toISOString();

const purchase: Charge = {
  key: "purchase:one",
  atMs: bought,
  startsMs: bought,
  endsMs: ends(1),
  netCents: 900,
  priceCents: 900,
};
const renewal = (after: number, changes: Partial<Charge> = {}): Charge => ({
  key: `renewal:one:${iso(ends(after))}`,
  atMs: ends(after) - 86_400_000,
  startsMs: ends(after),
  endsMs: ends(after + 1),
  netCents: 900,
  priceCents: 900,
  ...changes,
});
const none = new Set<string>();
const check = (...charges: Charge[]) => checkPaidHistory(charges, [], none);

describe("the check of paid periods", () => {
  test("accepts months that follow each other, also over 29 February", () => {
    expect(iso(ends(1))).toBe("2028-02-29T10:00:00.000Z");
    expect(iso(ends(2))).toBe("2028-03-31T10:00:00.000Z");
    expect(check(purchase, renewal(1), renewal(2), renewal(3))).toEqual([]);
  });

  test("accepts an upgrade to the second, and a return after the grace", () => {
    const half = bought + (ends(1) - bought) / 2;
    const upgrade = { ...purchase, key: "upgrade:one:q", atMs: half, startsMs: half };
    const back = ends(1) + 80 * 3_600_000;
    const again = { netCents: 2_900, priceCents: 2_900 };
    expect(
      check(
        purchase,
        { ...upgrade, netCents: 1_000, priceCents: 2_900 },
        renewal(1, { ...again, atMs: back, startsMs: back, endsMs: monthsLater(back, 1) }),
      ),
    ).toEqual([]);
  });

  test.each([
    ["a period that was paid twice", [renewal(1), renewal(1)]],
    ["a period that was left out", [renewal(2)]],
    ["a period that is too short", [renewal(1, { endsMs: ends(2) - 86_400_000 })]],
    ["a wrong price", [renewal(1, { netCents: 899 })]],
    ["a charge that is too early", [renewal(1, { atMs: ends(1) - 90_000_000 })]],
    ["service beyond the grace", [renewal(1, { atMs: ends(1) + 80 * 3_600_000 })]],
    ["a second purchase", [{ ...purchase, atMs: ends(2), startsMs: ends(2), endsMs: ends(3) }]],
    ["a wrong difference", [{ ...purchase, key: "upgrade:one:q", priceCents: 2_900 }]],
  ])("finds %s", (_, charges) => {
    expect(check(purchase, ...charges)).toHaveLength(1);
  });

  test.each([71, 73])("finds an end of the protection after %d hours", (hours) => {
    const expiry = { shieldId: "one", atMs: ends(1) + hours * 3_600_000 };
    expect(checkPaidHistory([purchase], [expiry], none)).toHaveLength(1);
    const excused = checkPaidHistory([purchase], [expiry], new Set(["one"]));
    expect(excused).toHaveLength(hours < 72 ? 1 : 0);
  });
});
