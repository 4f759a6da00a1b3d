import { expect, test } from "vitest";
import { median, medianRatio, percentile } from "./statistics.ts";

test("the median does not depend on the order and is the mean of two in the middle", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test("a percentile is a value that was measured", () => {
  const values = Array.from({ length: 200 }, (_, n) => 200 - n);
  expect(percentile(values, 0.5)).toBe(100);
  expect(percentile(values, 0.99)).toBe(198);
  expect(percentile(values, 1)).toBe(200);
  expect(percentile([7], 0.01)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test("a round that was slow for both does not change the ratio", () => {
  expect(medianRatio([20, 200, 20], [10, 100, 10])).toBe(2);
});
