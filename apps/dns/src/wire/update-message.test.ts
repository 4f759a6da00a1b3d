import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeUpdate, updateBytesOf, type NameChange } from "#src/wire/update-message.ts";

const change: NameChange = {
  name: "abcdefghijkl.gs.test",
  ttlSeconds: 30,
  v4: ["203.0.113.1"],
  v6: ["2001:db8::1"],
};

describe("encodeUpdate (RFC 2136)", () => {
  test("removes both families of the name, then adds the desired records", () => {
    const name = "0c6162636465666768696a6b6c02677304746573740000";
    expect(encodeUpdate(0x9ead, "gs.test", [change]).toString("hex")).toBe(
      [
        "9ead2800",
        "0001000000040000",
        "02677304746573740000060001",
        `${name.slice(0, -2)}000100ff000000000000`,
        `${name.slice(0, -2)}001c00ff000000000000`,
        `${name.slice(0, -2)}000100010000001e0004cb007101`,
        `${name.slice(0, -2)}001c00010000001e001020010db8000000000000000000000001`,
      ].join(""),
    );
  });

  test("only removes the records of a name without desired ones", () => {
    const message = encodeUpdate(0x9ead, "gs.test", [{ ...change, v4: [], v6: [] }]);
    expect(message.readUInt16BE(8)).toBe(2);
    expect(message.toString("hex")).toMatch(/000100ff000000000000.*001c00ff000000000000$/);
  });

  test("has the computed length", () => {
    const head = encodeUpdate(1, "gs.test", []).length;
    fc.assert(
      fc.property(
        fc.array(fc.ipV4(), { maxLength: 16 }),
        fc.array(fc.ipV6(), { maxLength: 16 }),
        (v4, v6) => {
          const one = { ...change, v4, v6 };
          return encodeUpdate(1, "gs.test", [one, one]).length === head + 2 * updateBytesOf(one);
        },
      ),
    );
  });
});
