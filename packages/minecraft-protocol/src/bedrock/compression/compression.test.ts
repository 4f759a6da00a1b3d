import { deflateRawSync, constants } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inflateStart } from "./inflate-start.ts";
import { snappyStart } from "./snappy-start.ts";

/** Text that repeats itself, bytes of chance, and long runs. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ maxLength: 300 }).map((text) => Buffer.from(text)),
      fc.tuple(fc.nat(255), fc.nat(900)).map(([byte, count]) => Buffer.alloc(count, byte)),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(60))
        .map(([part, count]) => Buffer.concat(Array.from({ length: count }, () => part))),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));

const deflateOptions = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
});

describe("a deflate stream of node:zlib", () => {
  test("is inflated as a whole", () => {
    fc.assert(
      fc.property(content, deflateOptions, (bytes, options) => {
        const result = inflateStart(deflateRawSync(bytes, options), bytes.length + 1);
        expect(result?.isWhole).toBe(true);
        expect(result?.output.equals(bytes)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("gives its first bytes where it is cut, or where the room ends", () => {
    fc.assert(
      fc.property(content, deflateOptions, fc.nat(), fc.nat(3_000), (bytes, options, cut, max) => {
        const stream = deflateRawSync(bytes, options);
        const part = inflateStart(stream.subarray(0, cut % (stream.length + 1)), max);
        expect(part).toBeDefined();
        expect(part?.output.length).toBeLessThanOrEqual(max);
        const length = part?.output.length ?? 0;
        expect(part?.output.equals(bytes.subarray(0, length))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

test("a bomb of deflate gives no more than the room", () => {
  const bomb = deflateRawSync(Buffer.alloc(8_000_000));
  expect(inflateStart(bomb, 5_000)).toMatchObject({ isWhole: false });
  expect(inflateStart(bomb, 5_000)?.output.length).toBe(5_000);
});

/** A kind of block that does not exist, and a stored block with lengths that disagree. */
test.each(["07", "010100ffff"])("%s is no stream", (hex) => {
  expect(inflateStart(Buffer.from(hex, "hex"), 100)).toBeUndefined();
});

describe("a Snappy block", () => {
  /** From the format's description: literal, copies with offsets of 1, 2 and 4 bytes. */
  test.each([
    ["00", ""],
    ["0308616263", "abc"],
    ["07086162630103", "abcabca"],
    ["0908616263160300", "abcabcabc"],
    ["09086162631703000000", "abcabcabc"],
    ["03f002616263", "abc"],
  ])("%s is %s", (hex, text) => {
    const result = snappyStart(Buffer.from(hex, "hex"), 100);
    expect(result?.output.toString()).toBe(text);
    expect(result?.isWhole).toBe(true);
  });

  test("gives its first bytes where it is cut, or where the room ends", () => {
    const block = Buffer.from("0908616263160300", "hex");
    expect(snappyStart(block.subarray(0, 3), 100)?.output.toString()).toBe("a");
    expect(snappyStart(block, 4)?.output.toString()).toBe("abca");
    expect(snappyStart(block, 4)?.isWhole).toBe(false);
  });

  test("does not allocate by the length it announces, nor look back before its start", () => {
    expect(snappyStart(Buffer.from("ffffffff0f0061", "hex"), 100)?.output.length).toBe(1);
    expect(snappyStart(Buffer.from("0700610503", "hex"), 100)).toBeUndefined();
    expect(snappyStart(Buffer.from("ffffffffff", "hex"), 100)).toBeUndefined();
  });
});

test("no bytes make a decompressor throw or give more than the room", () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((each) => Buffer.from(each));
  fc.assert(
    fc.property(bytes, fc.nat(500), (input, max) => {
      for (const read of [inflateStart, snappyStart]) {
        expect(read(input, max)?.output.length ?? 0).toBeLessThanOrEqual(max);
      }
    }),
    { numRuns: 3_000 },
  );
});
