import { expect, test } from "vitest";
import { previewImport } from "./import-preview.ts";

const now = new Date("2026-11-27T12:00:00Z");
const preview = (text: string) => previewImport(text, "blacklist", now);

test("counts valid entries and lists invalid ones with their line", () => {
  expect(preview("192.0.2.1\nno-one\n2001:db8::/32, 300.1.1.1")).toMatchObject({
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
  expect(preview("foo bar\n10.0.0.0/8\n10.0.0.0/16\n2001::/16\n2001:db8::/32")).toMatchObject({
    valid: 4,
    names: 0,
    invalid: [{ line: 1, text: "foo bar" }],
    wide: ["10.0.0.0/8", "2001::/16"],
  });
});

test("names are counted apart", () => {
  expect(preview("Steve\n192.0.2.1, a note\nAlex")).toMatchObject({
    valid: 3,
    names: 2,
    invalid: [{ line: 2, text: "a note" }],
  });
});

test("says how entries were read, and what is left out because of its end or its list", () => {
  const text =
    "cidr,whitelist,note,expires\n192.0.2.0/24,false,bots,2026-12-01\n192.0.2.1,true,,\n192.0.2.2,false,,2020-01-01";
  expect(preview(text)).toMatchObject({
    format: "csv",
    valid: 1,
    noted: 1,
    ending: 1,
    ended: 1,
    otherList: 1,
    first: [
      { text: "192.0.2.0/24", kind: "address", note: "bots", endMs: Date.parse("2026-12-01") },
    ],
  });
});
