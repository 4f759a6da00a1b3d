import { describe, expect, test } from "vitest";
import { changedTexts, mergeTyped, shownTexts } from "./message-diff.ts";

const read = { motd_line1: "Back soon", motd_line2: "", version_info: "offline" };

describe("messages", () => {
  test("a save sends what changed, an emptied text included", () => {
    expect(changedTexts(read, { ...read, motd_line1: "", motd_line2: "18:00" })).toEqual({
      motd_line1: "",
      motd_line2: "18:00",
    });
  });

  test("after a conflict typed texts stay and the others are as stored", () => {
    const typed = { ...read, motd_line1: "Mine" };
    const stored = { motd_line1: "Theirs", motd_line2: "Theirs too", version_info: "offline" };
    expect(mergeTyped(read, typed, stored)).toEqual({ ...stored, motd_line1: "Mine" });
  });
});

describe("shownTexts", () => {
  test("empty texts are shown as the product's own", () => {
    expect(shownTexts({ blacklist_msg: "", whitelist_msg: "Soon" }, "firewall")).toEqual({
      blacklist_msg: "§cYour address is blocked on this server.",
      whitelist_msg: "Soon",
    });
  });

  test("one line of an own MOTD replaces both of the product's", () => {
    const shown = shownTexts({ motd_line1: "Skyline", motd_line2: "" }, "offline");
    expect(shown).toMatchObject({ motd_line1: "Skyline", motd_line2: "" });
  });
});
