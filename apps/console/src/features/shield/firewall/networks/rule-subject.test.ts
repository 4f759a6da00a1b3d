import { describe, expect, test } from "vitest";
import { asnTyped, countryNames, countryTyped } from "./rule-subject.ts";

describe("a country that is typed", () => {
  test("is found by its name in the reader's language and by its code", () => {
    expect(countryTyped(" germany ", "en")).toBe("DE");
    expect(countryTyped("Германия", "ru")).toBe("DE");
    expect(countryTyped("de", "ru")).toBe("DE");
    expect(countryTyped("Germ", "en")).toBeUndefined();
    expect(countryTyped("", "en")).toBeUndefined();
  });

  test("is offered by every name, each of which is found again", () => {
    for (const locale of ["en", "ru"]) {
      const names = countryNames(locale);
      expect(new Set(names.map((name) => countryTyped(name, locale))).size).toBe(names.length);
    }
  });
});

test("a network is its number, with or without AS in front", () => {
  expect(asnTyped("AS64496")).toBe(64_496);
  expect(asnTyped(" as 64496 ")).toBe(64_496);
  expect(asnTyped("4294967295")).toBe(4_294_967_295);
  for (const wrong of ["", "AS", "4294967296", "12.5", "-1", "64496 Hosting"]) {
    expect(asnTyped(wrong), wrong).toBeUndefined();
  }
});
