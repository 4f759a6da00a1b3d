import { expect, test } from "vitest";
import { previewImport } from "./import-preview.ts";

test("counts valid entries and lists invalid ones with their line", () => {
  expect(previewImport("192.0.2.1\nno-one\n2001:db8::/32, 300.1.1.1")).toEqual({
    valid: 2,
    names: 0,
    invalid: [
      { line: 2, text: "no-one" },
      { line: 3, text: "300.1.1.1" },
    ],
    wide: [],
  });
});

test("neighbouring invalid words count as one, and very wide ranges are named", () => {
  expect(previewImport("foo bar\n10.0.0.0/8\n10.0.0.0/16\n2001::/16\n2001:db8::/32")).toEqual({
    valid: 4,
    names: 0,
    invalid: [{ line: 1, text: "foo bar" }],
    wide: ["10.0.0.0/8", "2001::/16"],
  });
});

test("names are counted apart", () => {
  expect(previewImport("Steve\n192.0.2.1, a note\nAlex")).toMatchObject({
    valid: 3,
    names: 2,
    invalid: [{ line: 2, text: "a note" }],
  });
});
