import { describe, expect, test } from "vitest";
import {
  brokenArea,
  brokenLine,
  gapsOf,
  maxOf,
  partOf,
  stacked,
  valueAxis,
} from "./chart-geometry.ts";

const box = { width: 100, height: 50 };

describe("the axis of values", () => {
  test.each([
    [0, true, [0, 1, 2]],
    [2, true, [0, 1, 2]],
    [7, true, [0, 5, 10]],
    [313, true, [0, 200, 400]],
    [4_800, true, [0, 2_000, 4_000, 6_000]],
    [1, false, [0, 0.5, 1]],
  ] as const)("of values up to %d has round steps", (max, isWhole, ticks) => {
    const axis = valueAxis(max, isWhole);
    expect(axis.ticks).toEqual(ticks);
    expect(axis.top).toBe(ticks.at(-1));
  });

  test("covers every value in two to four steps", () => {
    for (let max = 1; max < 100_000; max = Math.ceil(max * 1.07)) {
      const { top, ticks } = valueAxis(max, true);
      expect(top).toBeGreaterThanOrEqual(max);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }
  });
});

describe("lines and areas", () => {
  test("break at gaps, and a value between two gaps stays visible as a point", () => {
    expect(brokenLine([0, 10, null, 5, null], 10, box)).toBe("M0 50L25 0M75 25h0");
    expect(brokenLine([null, null], 10, box)).toBe("");
    expect(brokenArea([0, 10, null, 5, null], null, 10, box)).toBe("M0 50L25 0L25 50L0 50Z");
  });

  test("stack each series on the ones before it", () => {
    const sums = stacked([
      [1, 2, null],
      [3, 4, null],
    ]);
    expect(sums).toEqual([
      [1, 2, null],
      [4, 6, null],
    ]);
    expect(brokenArea([4, 6], [1, 2], 10, box)).toBe("M0 30L100 20L100 40L0 45Z");
  });

  test("are scaled by the largest value of all series", () => {
    expect(maxOf([[1, null], [7]])).toBe(7);
    expect(maxOf([[null]])).toBe(0);
  });
});

test("a gap is where no series has a value, from the last to the next one that is known", () => {
  const first = [1, null, null, 4, null];
  const second = [1, null, null, null, 5];
  expect(gapsOf([first, second])).toEqual([{ from: 0, to: 0.75 }]);
  expect(gapsOf([[null, null]])).toEqual([{ from: 0, to: 1 }]);
  expect(gapsOf([[1, 2]])).toEqual([]);
});

test("a time outside the period is at its edge", () => {
  expect([50, 100, 150, 200, 300].map((time) => partOf(time, [100, 150, 200]))).toEqual([
    0, 0, 0.5, 1, 1,
  ]);
  expect(partOf(100, [100])).toBe(0);
});
