import { expect, test } from "vitest";
import { parseDraft } from "./drafts.ts";

const empty = { subject: "", message: "" };
const typed = { subject: "No players", message: "Since noon" };

test("a draft is restored for the same user", () => {
  expect(parseDraft(JSON.stringify({ ...typed, owner: "ann" }), "ann", empty)).toEqual(typed);
});

test("another user's text stays hidden", () => {
  expect(parseDraft(JSON.stringify({ ...typed, owner: "bob" }), "ann", empty)).toEqual(empty);
});

test.each([null, "", "{", "7", "[]", '{"owner":"ann","subject":{},"message":null}'])(
  "%s gives an empty form",
  (stored) => expect(parseDraft(stored, "ann", empty)).toEqual(empty),
);
