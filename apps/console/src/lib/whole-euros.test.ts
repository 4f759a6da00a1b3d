import { expect, test } from "vitest";
import { wholeEuros } from "./whole-euros.ts";

test.each([
  [0, 1],
  [1, 1],
  [100, 1],
  [101, 2],
  [850, 9],
])("%d cents are topped up with %d euros", (cents, whole) => {
  expect(wholeEuros(cents)).toBe(whole);
});
