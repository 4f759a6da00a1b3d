import { expect, test } from "vitest";
import { isMet, type Row } from "./row.ts";
import { formatValue, table } from "./table.ts";

const row: Row = { benchmark: "relay", measure: "CPU of a packet", unit: "µs", value: 6.5 };

test("an aim is met up to its limit, of the value or of the ratio", () => {
  const atMost = { of: "ratio", is: "at most", limit: 1.2 } as const;
  expect(isMet({ ...row, aim: atMost, ratio: { to: "HAProxy", value: 1.2 } })).toBe(true);
  expect(isMet({ ...row, aim: atMost, ratio: { to: "HAProxy", value: 1.21 } })).toBe(false);
  expect(isMet({ ...row, aim: { of: "value", is: "under", limit: 6.5 } })).toBe(false);
  expect(isMet({ ...row, aim: { of: "value", is: "at least", limit: 6.5 } })).toBe(true);
  expect(isMet(row)).toBeUndefined();
});

test("an aim without a measured value is not met", () => {
  expect(isMet({ ...row, aim: { of: "ratio", is: "at most", limit: 1.2 } })).toBe(false);
});

test("columns line up, and a missing value is a dash", () => {
  const lines = table([row, { ...row, value: undefined, note: "no haproxy" }]).split("\n");
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines[2]).toContain("6.50");
  expect(lines[3]).toMatch(/ – .*no haproxy/);
});

test.each([
  [0.123456, "0.12"],
  [12.345, "12.3"],
  [123.4, "123"],
  [1_234_567, "1,234,567"],
])("%d is shown as %s", (value, text) => {
  expect(formatValue(value)).toBe(text);
});
