import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readVarInt, varIntLength, writeVarInt } from "./varint.ts";

/** Samples from the table on minecraft.wiki. */
const samples: readonly (readonly [number, string])[] = [
  [0, "00"],
  [1, "01"],
  [127, "7f"],
  [128, "8001"],
  [255, "ff01"],
  [25_565, "ddc701"],
  [2_097_151, "ffff7f"],
  [2_147_483_647, "ffffffff07"],
  [-1, "ffffffff0f"],
  [-2_147_483_648, "8080808008"],
];

describe("VarInt", () => {
  test.each(samples)("%i is written and read as the documented bytes", (value, hex) => {
    const target = Buffer.alloc(varIntLength(value));
    expect(writeVarInt(target, 0, value)).toBe(target.length);
    expect(target.toString("hex")).toBe(hex);
    expect(readVarInt(target, 0, target.length)).toEqual({
      kind: "value",
      value,
      next: target.length,
    });
  });

  test("every signed 32-bit value comes back", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat({ max: 4 }), (value, offset) => {
        const target = Buffer.alloc(offset + 5);
        const next = writeVarInt(target, offset, value);
        expect(next - offset).toBe(varIntLength(value));
        expect(readVarInt(target, offset, next)).toEqual({ kind: "value", value, next });
        expect(readVarInt(target, offset, next - 1)).toEqual({ kind: "need-more" });
      }),
    );
  });

  test("a bomb of continuation bytes ends at the cap", () => {
    const bomb = Buffer.alloc(1024, 0xff);
    expect(readVarInt(bomb, 0, bomb.length)).toEqual({ kind: "too-long" });
    expect(readVarInt(bomb, 0, bomb.length, 3)).toEqual({ kind: "too-long" });
    expect(readVarInt(bomb, 0, 2, 3)).toEqual({ kind: "need-more" });
  });
});
