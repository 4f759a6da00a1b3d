import { describe, expect, test } from "vitest";
import { amountProblem, nextAmount } from "./amount.ts";

describe("typing an amount", () => {
  test.each([
    ["", "2", "2"],
    ["2", "20", "20"],
    ["20", "2", "2"],
    ["20", "", ""],
  ])("%j, then %j, is %j", (current, typed, kept) => expect(nextAmount(current, typed)).toBe(kept));

  test.each(["20.", "20e", "2-0", "-20", "20€", "2 0", "20٣"])(
    "a typed character that is not a digit changes nothing: %j",
    (typed) => expect(nextAmount("20", typed)).toBe("20"),
  );

  test.each([
    ["10.50", "10"],
    ["1e3", "1"],
    ["€ 25", "25"],
    ["25,00 EUR", "25"],
    ["007", "7"],
    ["0", "0"],
    ["９９", ""],
    ["ten", ""],
    ["123456789", "123456"],
  ])("%j pasted leaves %j", (pasted, kept) => expect(nextAmount("", pasted)).toBe(kept));
});

describe("an amount", () => {
  test.each([
    ["", "minimum"],
    ["0", "minimum"],
    ["1", null],
    ["300", null],
    ["301", "maximum"],
  ])("with a maximum of 300, %j breaks the limit %j", (typed, problem) =>
    expect(amountProblem(typed, 300)).toBe(problem),
  );
});
