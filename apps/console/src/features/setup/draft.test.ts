import { describe, expect, test } from "vitest";
import { emptySetup, parseDraft } from "./draft.ts";

describe("setup draft", () => {
  test("what was typed comes back", () => {
    const typed = { ...emptySetup, server_name: "Skyline", real_port: 25_570 };
    expect(parseDraft(JSON.stringify(typed))).toEqual(typed);
  });

  test.each([null, "", "{", "7", '{"server_name":4,"real_port":"x"}'])(
    "%s gives an empty form",
    (stored) => expect(parseDraft(stored)).toEqual(emptySetup),
  );
});
