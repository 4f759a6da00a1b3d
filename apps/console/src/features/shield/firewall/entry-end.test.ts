import { describe, expect, test } from "vitest";
import { localTime } from "#src/lib/local-time.ts";
import { chosenEnd, hasEnded, matches } from "./entry-end.ts";

const now = new Date("2026-11-27T12:00:00.000Z");

describe("the end that a form chooses", () => {
  test.each([
    ["keep", undefined],
    ["always", null],
    ["1h", "2026-11-27T13:00:00.000Z"],
    ["7d", "2026-12-04T12:00:00.000Z"],
  ] as const)("%s", (choice, end) => {
    expect(chosenEnd(choice, "", now)).toBe(end);
  });

  test("a date in the reader's zone, and an empty one that the api refuses", () => {
    const at = new Date("2026-12-24T18:30:00.000Z");
    expect(chosenEnd("date", localTime(at), now)).toBe(at.toISOString());
    expect(chosenEnd("date", "", now)).toBe("");
  });
});

test("an entry has ended from its end on, and never without one", () => {
  expect(hasEnded({ expires_at: null }, now)).toBe(false);
  expect(hasEnded({ expires_at: now.toISOString() }, now)).toBe(true);
  expect(hasEnded({ expires_at: "2026-11-27T12:00:00.001Z" }, now)).toBe(false);
});

test("a search finds entries and notes, in any case", () => {
  const entry = { ip: "Griefer_1", note: "Blew up the Spawn" };
  expect(["grief", " spawn ", ""].map((search) => matches(entry, search))).toEqual([
    true,
    true,
    true,
  ]);
  expect(matches(entry, "203.")).toBe(false);
});
