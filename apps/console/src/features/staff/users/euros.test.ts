import { expect, test } from "vitest";
import { readEuros } from "./euros.ts";

test.each([
  ["20", 2_000],
  [" 20.5 ", 2_050],
  ["20,05", 2_005],
  ["0.01", 1],
  ["", null],
  ["-5", null],
  ["1e3", null],
  ["20.055", null],
  ["٢٠", null],
])("%j is %s cents", (typed, cents) => {
  expect(readEuros(typed)).toBe(cents);
});
