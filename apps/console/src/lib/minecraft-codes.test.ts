import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCodes } from "./minecraft-codes.ts";

const styles = (text: string) =>
  parseCodes(text).map((run) => [run.text, run.color, run.bold] as const);

describe("parseCodes", () => {
  test("reads the game's codes and the typed ones alike", () => {
    expect(styles("§aHi &lthere")).toEqual([
      ["Hi ", "a", false],
      ["there", "a", true],
    ]);
  });

  test("a colour ends bold, and r ends everything", () => {
    expect(styles("&lA&cB&rC")).toEqual([
      ["A", null, true],
      ["B", "c", false],
      ["C", null, false],
    ]);
  });

  test("what is no code stays text", () => {
    expect(styles("Rock & Roll §")).toEqual([["Rock & Roll §", null, false]]);
  });

  test("no visible character is lost or invented", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const visible = parseCodes(text)
          .map((run) => run.text)
          .join("");
        expect(visible).toBe(text.replace(/[§&][0-9a-fk-or]/gi, ""));
      }),
    );
  });
});
