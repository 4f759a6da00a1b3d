import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeAcknowledgement,
  encodeFrameSet,
  frameBytes,
  indexCount,
  namesSequence,
  readAcknowledgement,
  readFrameSet,
  reliabilities,
  type Frame,
} from "./frames.ts";
import { recordedLogins } from "../testing/recorded-logins.ts";

const index = fc.integer({ min: 0, max: indexCount - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 2 });
const body = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const split = fc.option(
  fc
    .tuple(uint32, fc.integer({ min: 0, max: 65_535 }), uint32)
    .map(([part, id, more]) => ({ count: Math.max(part, more) + 1, id, index: part })),
  { nil: undefined },
);
const { reliableOrdered, reliableSequenced, unreliable } = reliabilities;

const frame: fc.Arbitrary<Frame> = fc
  .record({
    reliability: fc.constantFrom(...Object.values(reliabilities)),
    reliableIndex: index,
    sequenceIndex: index,
    order: fc.record({ index, channel: fc.integer({ min: 0, max: 31 }) }),
    split,
    body,
  })
  .map((all) => ({
    ...all,
    reliableIndex: [2, 3, 4, 6, 7].includes(all.reliability) ? all.reliableIndex : undefined,
    sequenceIndex: [1, 4].includes(all.reliability) ? all.sequenceIndex : undefined,
    order: [1, 3, 4, 7].includes(all.reliability) ? all.order : undefined,
  }));

describe("a set of frames", () => {
  test("has the bytes that minecraft.wiki gives it", () => {
    const ordered: Frame = {
      reliability: reliableOrdered,
      reliableIndex: 2,
      sequenceIndex: undefined,
      order: { index: 1, channel: 0 },
      split: { count: 3, id: 7, index: 1 },
      body: Buffer.from("abcd", "hex"),
    };
    const orderAndSplit = ["01000000", "00000003", "0007", "00000001"].join("");
    const hex = "84010203700010020000" + orderAndSplit + "abcd";
    expect(encodeFrameSet(0x03_02_01, [ordered]).toString("hex")).toBe(hex);
    expect(readFrameSet(Buffer.from(hex, "hex"))).toEqual({
      sequence: 0x03_02_01,
      frames: [ordered],
    });
  });

  test("has, of a recorded client, one reliable frame for each step of the handshake", () => {
    for (const { datagrams } of recordedLogins) {
      const sets = datagrams.map((datagram) => readFrameSet(Buffer.from(datagram, "base64")));
      expect(sets.map((set) => set?.sequence)).toEqual(datagrams.map((_, place) => place));
      const bodies = sets.map((set) => set?.frames[0]?.body[0]);
      expect(bodies.slice(0, 2)).toEqual([0x09, 0x13]);
    }
  });

  test("is read back as it was written, and encodes each kind of frame", () => {
    fc.assert(
      fc.property(index, fc.array(frame, { maxLength: 8 }), (sequence, frames) => {
        const bytes = encodeFrameSet(sequence, frames);
        expect(bytes.length).toBe(4 + frames.reduce((sum, each) => sum + frameBytes(each), 0));
        expect(readFrameSet(bytes)).toEqual({ sequence, frames });
      }),
    );
  });

  test("is refused where it is cut, so no frame is half read", () => {
    fc.assert(
      fc.property(frame, fc.nat(), (each, cut) => {
        const bytes = encodeFrameSet(1, [each]);
        const length = 5 + (cut % (bytes.length - 5));
        expect(readFrameSet(bytes.subarray(0, length))).toBeUndefined();
      }),
    );
  });

  test("is refused where a frame is empty, or its part is none of the message", () => {
    expect(readFrameSet(Buffer.from("84000000000000", "hex"))).toBeUndefined();
    const part = { count: 2, id: 0, index: 2 };
    const bad: Frame = {
      reliability: unreliable,
      reliableIndex: undefined,
      sequenceIndex: undefined,
      order: undefined,
      split: part,
      body: Buffer.of(1),
    };
    expect(readFrameSet(encodeFrameSet(0, [bad]))).toBeUndefined();
  });

  test("counts again from 0 behind the greatest number", () => {
    const each: Frame = {
      reliability: reliableSequenced,
      reliableIndex: indexCount,
      sequenceIndex: indexCount + 1,
      order: { index: indexCount + 2, channel: 0 },
      split: undefined,
      body: Buffer.of(1),
    };
    expect(readFrameSet(encodeFrameSet(indexCount + 3, [each]))).toMatchObject({
      sequence: 3,
      frames: [{ reliableIndex: 0, sequenceIndex: 1, order: { index: 2 } }],
    });
  });
});

const range = fc
  .tuple(index, index)
  .map(([one, other]) => ({ first: Math.min(one, other), last: Math.max(one, other) }));

describe("an acknowledgement", () => {
  test("has the bytes that minecraft.wiki gives it", () => {
    const ranges = [
      { first: 5, last: 5 },
      { first: 7, last: 0x01_00_00 },
    ];
    expect(encodeAcknowledgement({ kind: "ack", ranges }).toString("hex")).toBe(
      "c000020105000000070000000001",
    );
    expect(readAcknowledgement(Buffer.from("a0000101050000", "hex"))).toEqual({
      kind: "nack",
      ranges: [{ first: 5, last: 5 }],
    });
  });

  test("is read back as it was written, and names what is in its ranges", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("ack" as const, "nack" as const),
        fc.array(range, { maxLength: 40 }),
        index,
        (kind, ranges, sequence) => {
          const read = readAcknowledgement(encodeAcknowledgement({ kind, ranges }));
          expect(read).toEqual({ kind, ranges });
          expect(read && namesSequence(read, sequence)).toBe(
            ranges.some(({ first, last }) => first <= sequence && sequence <= last),
          );
        },
      ),
    );
  });

  test("that announces more than it has, or a range that ends before it begins, is refused", () => {
    for (const hex of ["c0ffff01050000", "c0000100050000040000", "c00000ff", "c0"]) {
      expect(readAcknowledgement(Buffer.from(hex, "hex"))).toBeUndefined();
    }
  });
});

test("no bytes make a reader throw, and no datagram is of two kinds", () => {
  const first = fc.oneof(fc.constantFrom(0x84, 0x8c, 0x80, 0xc0, 0xa0), fc.nat(255));
  fc.assert(
    fc.property(first, fc.uint8Array({ maxLength: 120 }), (id, rest) => {
      const bytes = Buffer.concat([Buffer.of(id), rest]);
      const found = [readFrameSet(bytes), readAcknowledgement(bytes)];
      expect(found.filter((each) => each !== undefined).length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 3_000 },
  );
});
