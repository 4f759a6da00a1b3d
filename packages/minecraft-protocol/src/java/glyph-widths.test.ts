import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripCodes } from "./chat.ts";
import {
  kickLinePixels,
  linePixels,
  measureLines,
  motdLinePixels,
  motdLinesMax,
} from "./glyph-widths.ts";

describe("the width of a line", () => {
  test.each([
    ["", 0],
    ["A Minecraft Server", 97],
    ["iiii", 8],
    ["WWWW", 24],
    ["Привет", 36],
    ["Щука", 26],
    ["Übergrößenträger", 94],
  ])("%s is as wide as the game draws it", (line, pixels) => {
    expect(linePixels(line)).toBe(pixels);
  });

  test("bold adds a pixel to each character, up to the next colour or reset", () => {
    expect(linePixels("§lAB§oC")).toBe(3 * 7);
    expect(linePixels("§LAB§cC")).toBe(2 * 7 + 6);
    expect(linePixels("§lAB§rC")).toBe(2 * 7 + 6);
    expect(linePixels("§l §r ")).toBe(5 + 4);
  });

  test("a character outside of the table counts as a wide one, once", () => {
    expect(linePixels("服")).toBe(9);
    expect(linePixels("😀")).toBe(9);
    expect(linePixels("§")).toBe(0);
  });

  test("codes take no space: without bold a line is as wide as its text", () => {
    const unit = fc.constantFrom("a", "Щ", " ", "é", "§a", "§n", "§r", "😀");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (line) => {
        fc.pre(!/§l/i.test(line));
        expect(linePixels(line)).toBe(linePixels(stripCodes(line)));
      }),
    );
  });
});

test("each line is measured against the window by itself", () => {
  const long = "W".repeat(45);
  const motd = measureLines(`§aHi\n${long}`, motdLinePixels);
  expect(motd).toEqual([
    { pixels: 8, excessPixels: 0 },
    { pixels: 270, excessPixels: 270 - motdLinePixels },
  ]);
  expect(motd).toHaveLength(motdLinesMax);
  expect(measureLines(long, kickLinePixels)).toEqual([{ pixels: 270, excessPixels: 0 }]);
});
