import { expect, test } from "vitest";
import { formatBandwidth, formatBytes } from "./traffic-stats.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 KB"],
  [1_550, "1.6 KB"],
  [999_960, "1 MB"],
  [1_000_000_000_000, "1 TB"],
  [Number.MAX_SAFE_INTEGER, "9 PB"],
])("%d bytes read %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("bandwidth is in bits", () => {
  expect(formatBandwidth(12_345_678)).toBe("12.3 Mbit/s");
});
