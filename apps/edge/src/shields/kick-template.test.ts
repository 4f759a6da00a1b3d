import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileKick } from "./kick-template.ts";

const values = { player: "Steve_01", trace: "ABCD1234" };

/** The JSON of a login disconnect shorter than 16,384 bytes. */
function jsonOf(packet: Buffer): unknown {
  const start = packet.indexOf(0x7b);
  return JSON.parse(packet.subarray(start).toString("utf8"));
}

describe("kick template", () => {
  test("a text without placeholders is one buffer, made once", () => {
    const kick = compileKick("§cNo");
    expect(kick.modern(values)).toBe(kick.modern({ player: "Other", trace: "" }));
    expect(kick.legacy(values)).toBe(kick.legacy({ player: "Other", trace: "" }));
    const json = '{"text":"No","color":"red"}';
    const header = Buffer.from([json.length + 2, 0, json.length]);
    expect(kick.modern(values)).toEqual(Buffer.concat([header, Buffer.from(json)]));
  });

  test("placeholders are filled in, unknown ones stay", () => {
    expect(jsonOf(compileKick("{player}: {trace} {player} {discord}").modern(values))).toEqual({
      text: "Steve_01: ABCD1234 Steve_01 {discord}",
    });
  });

  test("seconds are filled in where they are known, in both forms", () => {
    const kick = compileKick("Wait {seconds} s, {player}");
    expect(jsonOf(kick.modern({ ...values, seconds: 12 }))).toEqual({
      text: "Wait 12 s, Steve_01",
    });
    expect(jsonOf(kick.modern(values))).toEqual({ text: "Wait 0 s, Steve_01" });
    const packet = kick.legacy({ ...values, seconds: 12 });
    const text = Buffer.from(packet.subarray(3)).swap16().toString("utf16le");
    expect(text).toBe("Wait 12 s, Steve_01");
  });

  test("a legacy client reads the same text, codes kept, no longer than it takes", () => {
    const kick = compileKick(`§cSorry {player}, {trace} {discord}${"!".repeat(300)}`);
    const packet = kick.legacy({ ...values, player: "\0§k'" });
    expect(packet[0]).toBe(0xff);
    expect(packet.readUInt16BE(1)).toBe(255);
    const text = Buffer.from(packet.subarray(3)).swap16().toString("utf16le");
    expect(text.replace(/!+$/, "!")).toBe("§cSorry ??k?, ABCD1234 {discord}!");
  });

  test("no text and no name breaks the JSON or grows without bound", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, player) => {
        const packet = compileKick(`${text}{player}`).modern({ player, trace: "" });
        expect(jsonOf(packet)).toBeTypeOf("object");
        expect(packet.length).toBeLessThan(text.length * 40 + 200);
        const legacy = compileKick(`${text}{player}`).legacy({ player, trace: "" });
        expect(legacy.length).toBe(3 + 2 * legacy.readUInt16BE(1));
      }),
    );
  });
});
