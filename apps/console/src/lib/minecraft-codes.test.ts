import { colours, componentFromText } from "@palisade/minecraft-protocol/java/chat";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCodes, type Run } from "./minecraft-codes.ts";

const shown = (text: string) =>
  parseCodes(text).map((run) => [run.text, run.color, run.bold] as const);

describe("parseCodes", () => {
  test("reads § and & codes alike", () => {
    expect(shown("§aHi &lthere")).toEqual([
      ["Hi ", "a", false],
      ["there", "a", true],
    ]);
  });

  test("a colour ends bold, and r ends everything", () => {
    expect(shown("&lA&cB&rC")).toEqual([
      ["A", null, true],
      ["B", "c", false],
      ["C", null, false],
    ]);
  });

  test("an & before any other character stays; a § is dropped with an unknown code", () => {
    expect(shown("Rock & Roll &z §zon§")).toEqual([
      ["Rock & Roll &z ", null, false],
      ["on", null, false],
    ]);
  });

  test("draws the same text as the edge sends", () => {
    const pieces = fc.constantFrom("§", "&", "a", "L", "k", "r", "o", "7", "z", "\n", " ", "word");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (words) => {
        const text = words.join("");
        expect(drawn(parseCodes(text))).toEqual(sent(text));
      }),
    );
  });
});

/** The style of each character. */
function drawn(runs: readonly Run[]): string[] {
  return runs.flatMap(({ text, at: _at, color, ...flags }) => {
    const look = Object.entries(flags).flatMap(([name, isOn]) => (isOn ? [name] : []));
    return characters(text, color === null ? undefined : colours[color], look);
  });
}

/** The same of the component the edge makes, after the api has read `&` codes. */
function sent(text: string): string[] {
  const component = componentFromText(text.replace(/&([0-9a-fk-or])/gi, "§$1"));
  const parts = (component["extra"] ?? [component]) as Record<string, string | boolean>[];
  return parts.flatMap(({ text: part, color, ...flags }) =>
    characters(String(part), color, Object.keys(flags)),
  );
}

function characters(
  text: string,
  color: string | boolean | undefined,
  look: readonly string[],
): string[] {
  const style = `${String(color ?? "")} ${look.toSorted().join(" ")}`;
  return Array.from(text, (character) => `${character} ${style}`);
}
