import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMonths } from "./billing-period.service.ts";

const anchor = fc.date({
  min: new Date("2000-01-01T00:00:00Z"),
  max: new Date("2100-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const months = fc.integer({ min: 0, max: 1_200 });

function ends(from: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    addMonths(new Date(from), index + 1)
      .toISOString()
      .slice(0, 10),
  );
}

describe("billing periods", () => {
  test("a short month does not move the day of later periods", () => {
    expect(ends("2027-01-31T10:00:00Z", 4)).toEqual([
      "2027-02-28",
      "2027-03-31",
      "2027-04-30",
      "2027-05-31",
    ]);
  });

  test("a period that started on a leap day ends on leap days again in leap years", () => {
    expect(addMonths(new Date("2028-02-29T12:00:00Z"), 12).toISOString()).toBe(
      "2029-02-28T12:00:00.000Z",
    );
    expect(addMonths(new Date("2028-02-29T12:00:00Z"), 48).toISOString()).toBe(
      "2032-02-29T12:00:00.000Z",
    );
    expect(ends("2027-12-31T23:59:59Z", 2)).toEqual(["2028-01-31", "2028-02-29"]);
  });

  test("n months later it is the anchor's day or the month's last day, at the same time", () => {
    fc.assert(
      fc.property(anchor, months, (from, count) => {
        const end = addMonths(from, count);
        const monthsOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        expect(monthsOf(end) - monthsOf(from)).toBe(count);
        const tomorrow = new Date(end.getTime() + 86_400_000);
        expect(
          end.getUTCDate() === from.getUTCDate() ||
            (end.getUTCDate() < from.getUTCDate() && tomorrow.getUTCDate() === 1),
        ).toBe(true);
        expect(end.toISOString().slice(10)).toBe(from.toISOString().slice(10));
      }),
    );
  });

  test("each period begins where the last one ended and lasts 28 to 31 days", () => {
    fc.assert(
      fc.property(anchor, months, (from, count) => {
        const days =
          (addMonths(from, count + 1).getTime() - addMonths(from, count).getTime()) / 864e5;
        expect(days).toBeGreaterThanOrEqual(28);
        expect(days).toBeLessThanOrEqual(31);
      }),
    );
  });
});
