import { describe, expect, test } from "vitest";
import { longKickLines, longMotdLines } from "./long-lines.ts";

/** 44 characters of 6 pixels fit into the 267 pixels of a MOTD line; 45 do not. */
const fits = "a".repeat(44);
const tooLong = "a".repeat(45);

describe("long lines", () => {
  test("both lines of the MOTD are measured", () => {
    expect(longMotdLines([fits, fits])).toEqual([]);
    expect(longMotdLines([tooLong, fits])).toEqual([1]);
    expect(longMotdLines([fits, tooLong])).toEqual([2]);
    expect(longMotdLines([tooLong, tooLong])).toEqual([1, 2]);
  });

  test("formatting codes take no space, whether typed with § or &", () => {
    expect(longMotdLines([`§c${fits}`, `&c${fits}`])).toEqual([]);
  });

  test("bold text is wider", () => {
    expect(longMotdLines([`&l${fits}`, ""])).toEqual([1]);
  });

  test("an & that is no formatting code is measured as a character", () => {
    expect(longMotdLines([`${"a".repeat(43)}&`, `${fits}&`])).toEqual([2]);
  });

  test("each line of a kick message is measured by itself", () => {
    expect(longKickLines(`${fits}\n${"a".repeat(46)}\n${fits}`)).toEqual([2]);
    expect(longKickLines("")).toEqual([]);
  });
});
