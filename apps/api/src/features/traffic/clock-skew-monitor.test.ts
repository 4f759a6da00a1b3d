import { expect, test } from "vitest";
import { createClockSkewMonitor } from "./clock-skew-monitor.ts";

test("an edge whose clock is more than five minutes ahead is told of, once an hour", () => {
  const told: unknown[] = [];
  let nowMs = 0;
  const watch = createClockSkewMonitor(
    { warn: (facts: unknown) => void told.push(facts) },
    () => nowMs,
  );
  for (const [edge, aheadMs] of [
    ["one", 300_000],
    ["one", 301_000],
    ["one", 302_000],
    ["two", 7_200_000],
  ] as const) {
    watch.check(edge, aheadMs);
  }
  nowMs = 3_600_000;
  watch.check("one", 303_000);
  expect(told).toEqual([
    { edge: "one", aheadSeconds: 301 },
    { edge: "two", aheadSeconds: 7_200 },
    { edge: "one", aheadSeconds: 303 },
  ]);
});
