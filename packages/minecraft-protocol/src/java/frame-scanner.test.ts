import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, encodeVarInt } from "./fields.ts";
import { FrameScanner } from "./frame-scanner.ts";

/** Lengths and ids found in these bytes, cut into pieces of these lengths. */
function told(bytes: Uint8Array, cuts: readonly number[], isCompressed = false) {
  const met: [number, number | undefined][] = [];
  const walk = new FrameScanner((frameBytes, id) => met.push([frameBytes, id]) > 0);
  if (isCompressed) walk.compress();
  let at = 0;
  for (const cut of cuts) walk.read(bytes.subarray(at, (at += cut)));
  walk.read(bytes.subarray(at));
  return { met, isBetweenFrames: walk.isBetweenFrames };
}

const packets = fc.array(
  fc.record({ id: fc.nat(127), bytes: fc.oneof(fc.nat(300), fc.constantFrom(16_383, 70_000)) }),
  { maxLength: 6 },
);
const cuts = fc.array(fc.nat(200), { maxLength: 20 });

test("every frame is reported once with its length and id, however the bytes are split", () => {
  const anyPackets = fc.property(packets, cuts, (sent, pieces) => {
    const frames = sent.map(({ id, bytes }) => encodeFrame(id, Buffer.alloc(bytes, 0xff)));
    expect(told(Buffer.concat(frames), pieces)).toEqual({
      met: sent.map(({ id, bytes }) => [bytes + 1, id]),
      isBetweenFrames: true,
    });
  });
  fc.assert(anyPackets);
});

test("with compression on, the id of uncompressed packets is reported", () => {
  const plain = encodeFrame(0, Buffer.of(4, 9, 9));
  const packed = Buffer.concat([Buffer.of(5), encodeVarInt(300), Buffer.of(0, 4, 9)]);
  const bytes = Buffer.concat([plain, packed, plain]);
  fc.assert(
    fc.property(cuts, (pieces) => {
      const { met } = told(bytes, pieces, true);
      expect(met).toEqual([
        [4, 4],
        [5, undefined],
        [4, 4],
      ]);
    }),
  );
});

test("a length field of more than three bytes is reported as too long and ends the scan", () => {
  const bytes = Buffer.concat([Buffer.of(0x85, 0x80, 0x80, 0x00), encodeFrame(1)]);
  expect(told(bytes, []).met).toEqual([[2 ** 21, undefined]]);
});

test("empty frames are skipped, and the position between frames is known", () => {
  expect(told(Buffer.of(0, 0, 1, 7, 0), [])).toEqual({ met: [[1, 7]], isBetweenFrames: true });
  expect(told(Buffer.of(2, 7), []).isBetweenFrames).toBe(false);
  expect(told(Buffer.of(0x82), []).isBetweenFrames).toBe(false);
});
