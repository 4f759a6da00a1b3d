import { describe, expect, test } from "vitest";
import { shownTexts } from "./message-texts.ts";

describe("shownTexts", () => {
  test("empty texts are shown as the default texts", () => {
    expect(shownTexts({ blacklist_msg: "", whitelist_msg: "Soon" }, "firewall")).toEqual({
      blacklist_msg: "§cYou are blocked on this server.",
      whitelist_msg: "Soon",
    });
  });

  test("one own MOTD line replaces both default lines", () => {
    const shown = shownTexts({ motd_line1: "Skyline", motd_line2: "" }, "offline");
    expect(shown).toMatchObject({ motd_line1: "Skyline", motd_line2: "" });
  });
});
