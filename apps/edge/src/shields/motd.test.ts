import { readStatusResponse, statusCharactersMax } from "@palisade/minecraft-protocol/java/status";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMotd, type MotdInput } from "./motd.ts";

function jsonOf(facts: MotdInput): unknown {
  const result = readStatusResponse(createMotd(facts).frame);
  if (result.kind !== "status") throw new Error(result.kind);
  return JSON.parse(result.json);
}

const icon = "data:image/png;base64,iVBORw0KGgo=";
const nil = "00000000-0000-0000-0000-000000000000";

describe("motd", () => {
  test("has version, both lines, icon and hover, and no players online", () => {
    const facts = {
      version: "§cClosed",
      lines: ["§cThe server", "is down"],
      hover: "§7a\nb",
      icon,
    };
    expect(jsonOf(facts)).toEqual({
      version: { name: "§cClosed", protocol: -1 },
      players: {
        max: 0,
        online: 0,
        sample: [
          { name: "§7a", id: nil },
          { name: "b", id: nil },
        ],
      },
      description: { text: "The server\nis down", color: "red" },
      favicon: icon,
    });
  });

  test("without hover and icon names neither", () => {
    expect(jsonOf({ version: "x", lines: ["a"], hover: "", icon: null })).toEqual({
      version: { name: "x", protocol: -1 },
      players: { max: 0, online: 0 },
      description: { text: "a" },
    });
  });

  test("is made once", () => {
    const motd = createMotd({ version: "x", lines: ["a"] });
    expect(motd.frame).toBe(motd.frame);
  });

  test("whatever the owner writes, a client takes it", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 2_048 }),
      fc.constantFrom(
        "§ax".repeat(680),
        "\n".repeat(2_048),
        "\u0001".repeat(2_048),
        "😀".repeat(1_024),
      ),
    );
    const big = `data:image/png;base64,${"A".repeat(23_900)}`;
    fc.assert(
      fc.property(text, text, text, fc.constantFrom(null, icon, big), (a, b, hover, image) => {
        const { frame } = createMotd({ version: a, lines: [a, b], hover, icon: image });
        const result = readStatusResponse(frame);
        expect(result.kind).toBe("status");
        if (result.kind === "status") {
          expect(result.json.length).toBeLessThanOrEqual(statusCharactersMax);
        }
      }),
    );
  });
});
