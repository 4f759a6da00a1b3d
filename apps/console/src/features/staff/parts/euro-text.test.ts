import { expect, test } from "vitest";
import { centsOf, euroText, wholeOrNull } from "./euro-text.ts";

test.each([
  ["9", 900],
  ["9.5", 950],
  [" 19,99 ", 1_999],
  ["0.01", 1],
])("%j is %i cents", (typed, cents) => expect(centsOf(typed)).toBe(cents));

test.each(["", "free", "-1", "1.234", "1e3"])("%j is no amount", (typed) =>
  expect(centsOf(typed)).toBeNaN(),
);

test("an amount returns as it was, and an empty field is no limit", () => {
  expect(centsOf(euroText(1_999))).toBe(1_999);
  expect(wholeOrNull(" ")).toBeNull();
  expect(wholeOrNull("12")).toBe(12);
});
