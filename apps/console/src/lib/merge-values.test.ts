import { describe, expect, test } from "vitest";
import { changedValues, mergeValues, mergeConflict } from "./merge-values.ts";

const read = { line: "Back soon", limit: 100, range: { min: "1.8", max: "1.21" }, on: false };

test("a save sends changed values, including an emptied text", () => {
  expect(changedValues(read, { ...read, range: { ...read.range } })).toEqual({});
  expect(changedValues(read, { ...read, line: "", on: true })).toEqual({ line: "", on: true });
});

test("after another read, typed values stay and the rest is as stored", () => {
  const stored = { ...read, line: "Theirs", limit: 50 };
  expect(mergeValues(read, { ...read, limit: 20 }, stored)).toEqual({ ...stored, limit: 20 });
  expect(mergeValues(read, read, stored)).toEqual(stored);
});

test("after a save, values typed since then stay and sent ones are as the server stored them", () => {
  const sent = { ...read, line: "de 123" };
  const stored = { ...read, line: "DE123" };
  expect(mergeValues(sent, { ...sent, limit: 20 }, stored)).toEqual({ ...stored, limit: 20 });
});

describe("a save that another user was faster than", () => {
  const sent = { ...read, limit: 20 };

  test.each([
    ["something else", { on: true }, { limit: 20 }, { on: true }],
    ["the same to something else", { limit: 50 }, { limit: 20 }, { limit: 50 }],
    ["the same to the same", { limit: 20 }, {}, {}],
    ["nothing that differs", {}, { limit: 20 }, {}],
    ["the same to the same, and more", { limit: 20, on: true }, {}, { on: true }],
  ])("and who set %s: what is left to save, and to decide", (_, saved, mine, theirs) => {
    const stored = { ...read, ...saved };
    const merged = { ...stored, limit: 20 };
    expect(mergeConflict(read, sent, stored)).toEqual({ merged, mine, theirs });
  });
});
