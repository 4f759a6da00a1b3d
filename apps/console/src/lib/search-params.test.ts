import { describe, expect, test } from "vitest";
import { oneOf, searchOf, text, uuid, wholeNumber } from "./search-params.ts";

describe("searchOf", () => {
  const read = searchOf({ page: wholeNumber(1, 100), tab: text(8), by: oneOf({ GET: true }) });

  test("keeps valid parameters and drops unknown ones", () => {
    expect(read({ page: 2, tab: "security", by: "GET", other: 1 })).toEqual({
      page: 2,
      tab: "security",
      by: "GET",
    });
    expect(Object.keys(read({}))).toEqual([]);
  });

  test("an invalid parameter is undefined", () => {
    expect(Object.entries(read({ page: 0, tab: 7, by: "toString" }))).toEqual([
      ["page", undefined],
      ["tab", undefined],
      ["by", undefined],
    ]);
  });
});

test.each([0, 101, 1.5, -1, Number.NaN, Infinity, "2", true, null, [2], {}])(
  "%j is no whole number from 1 to 100",
  (value) => {
    expect(wholeNumber(1, 100)(value)).toBeUndefined();
  },
);

test("a text is one tidy line, not empty and no longer than allowed", () => {
  expect(["  a\u0000 ", " ", "", "12345678", "123456789", 5].map(text(8))).toEqual([
    "a",
    undefined,
    undefined,
    "12345678",
    undefined,
    undefined,
  ]);
});

test("an id is a whole UUID", () => {
  const id = "018f2c3e-0000-7000-8000-00000000000A";
  expect([id, `${id}0`, ` ${id}`, id.replaceAll("-", ""), 7].map(uuid())).toEqual([
    id,
    ...Array.from({ length: 4 }),
  ]);
});
