import { describe, expect, test } from "vitest";
import { fieldTime, listOf, periodOf, toggled } from "./period.ts";

describe("the period of an address", () => {
  const from = "2026-11-01T12:00:00.000Z";
  const to = "2026-11-02T12:00:00.000Z";

  test("is the last day where none is given", () => {
    expect(periodOf({})).toEqual({ range: "24h" });
    expect(periodOf({ range: "7d", from, to })).toEqual({ range: "7d" });
  });

  test("is the last day where the times are missing, wrong, or in the wrong order", () => {
    expect(periodOf({ range: "custom", from, to })).toEqual({ range: "custom", from, to });
    for (const [start, end] of [
      [from, undefined],
      [undefined, to],
      ["yesterday", to],
      [to, from],
      [from, from],
    ]) {
      const search = { range: "custom", from: start, to: end } as Parameters<typeof periodOf>[0];
      expect(periodOf(search)).toEqual({ range: "24h" });
    }
  });
});

test("words of a list are switched on and off, and an empty list leaves the address", () => {
  expect(toggled(undefined, "peak")).toBe("peak");
  expect(toggled("peak", "mean")).toBe("mean,peak");
  expect(toggled("mean,peak", "mean")).toBe("peak");
  expect(toggled("peak", "peak")).toBeUndefined();
  expect([...listOf(",a,,b")]).toEqual(["a", "b"]);
});

test("a field has the time of the reader's own zone", () => {
  expect(fieldTime(new Date(2026, 10, 26, 9, 5).getTime())).toBe("2026-11-26T09:05");
});
