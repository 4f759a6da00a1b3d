import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textFromComponent } from "./chat-text.ts";
import { componentFromText, stripCodes } from "./chat.ts";

const limits = { linesMax: 2, charactersMax: 512 };
const lines = (component: unknown) => textFromComponent(component, limits);

describe("text from a component", () => {
  test.each([
    ["a string", "§aHello\n§lworld", ["§aHello", "§a§lworld"]],
    ["a plain object", { text: "A Minecraft Server" }, ["A Minecraft Server"]],
    [
      "nested styles",
      {
        text: "",
        color: "gold",
        extra: [{ text: "a", bold: true }, "b", { text: "c", color: "red" }],
      },
      ["§6§la§6b§cc"],
    ],
    [
      "a style taken off",
      { text: "a", bold: true, extra: [{ text: "b", bold: false }] },
      ["§la§rb"],
    ],
    ["an array", [{ text: "a", color: "green" }, "b", { text: "c", italic: true }], ["§aab§oc"]],
    ["codes within one part", { text: "§cred", extra: ["plain"] }, ["§cred§rplain"]],
    ["a break between parts", { text: "", color: "aqua", extra: ["a\n", "b"] }, ["§ba", "§bb"]],
    ["a colour of its own", { text: "x", color: "#FF5454" }, ["§cx"]],
    ["a translation", { translate: "multiplayer.title", with: ["x"], extra: ["!"] }, ["!"]],
    ["more lines than there may be", "a\nb\nc", ["a", "b"]],
    ["control characters", "a\u0000\u001b[31mb\u202ec\rd", ["a[31mbcd"]],
    ["a lone surrogate", "a\ud800b", ["ab"]],
    ["numbers", [1, true, null, undefined], ["1true"]],
    ["nothing", null, [""]],
    ["a colour that is no colour", { text: "a", color: "constructor" }, ["a"]],
    ["a code that is no code", "a§zb§", ["ab"]],
  ])("%s", (_, component, expected) => {
    expect(lines(component)).toEqual(expected);
  });

  test("is cut at the limit, never inside a character", () => {
    const [line = ""] = textFromComponent("😀".repeat(300), { linesMax: 2, charactersMax: 11 });
    expect(line).toBe("😀".repeat(5));
  });

  test("survives depth, breadth and size", () => {
    let deep: unknown = "x";
    for (let n = 0; n < 10_000; n++) deep = { text: "", extra: [deep] };
    expect(lines(deep)).toEqual([""]);
    const broad = { text: "", extra: Array.from({ length: 10_000 }, () => ({ text: "ab" })) };
    expect(lines(broad)[0]).toHaveLength(512);
  });

  test("gives back what componentFromText was given, as the game would show it", () => {
    const piece = fc.oneof(
      fc.constantFrom("§a", "§c", "§l", "§o", "§r", "§k"),
      fc.stringMatching(/^[a-z ]{1,5}$/),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        const [line = ""] = lines(componentFromText(text));
        expect(stripCodes(line)).toBe(stripCodes(text));
        expect(lines(line)).toEqual([line]);
      }),
    );
  });

  test("is bounded and printable whatever it is made of", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const found = lines(value);
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(2);
        for (const line of found) {
          expect(line.length).toBeLessThanOrEqual(512);
          expect(line).toMatch(/^[^\p{Cc}\p{Cs}]*$/u);
        }
      }),
    );
  });
});
