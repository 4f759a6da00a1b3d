import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeConnectedPing, encodeDisconnect } from "./connected-messages.ts";
import { isDisconnect } from "./disconnect-notification.ts";
import { encodeFrameSet, type Frame, readFrameSet, reliabilities } from "./frames.ts";

const body = fc.oneof(
  fc.constant(encodeDisconnect()),
  fc.constant(encodeConnectedPing(1n)),
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);
const index = fc.nat(1_000);
const frame: fc.Arbitrary<Frame> = fc.record({
  reliability: fc.constantFrom(...Object.values(reliabilities)),
  reliableIndex: index,
  sequenceIndex: index,
  order: fc.record({ index, channel: fc.nat(31) }),
  split: fc.constant(undefined),
  body,
});

const saysSo = ({ body: bytes }: Frame): boolean => bytes.equals(encodeDisconnect());

test("the end of a connection is found in any short datagram that has it, and in no other", () => {
  fc.assert(
    fc.property(index, fc.array(frame, { maxLength: 3 }), (sequence, frames) => {
      const bytes = encodeFrameSet(sequence, frames);
      expect(isDisconnect(bytes)).toBe(bytes.length <= 64 && frames.some(saysSo));
    }),
    { numRuns: 1_000 },
  );
});

test("a part of a longer message ends no connection, whatever its bytes", () => {
  const split = { count: 2, id: 1, index: 0 };
  const part = { ...fc.sample(frame, 1)[0], split, body: encodeDisconnect() } as Frame;
  expect(isDisconnect(encodeFrameSet(1, [part]))).toBe(false);
});

test("no bytes make it throw, and what it finds is in a frame where all frames are sound", () => {
  fc.assert(
    fc.property(fc.constantFrom(0x80, 0x84, 0x8f, 0xc0), fc.uint8Array(), (first, rest) => {
      const bytes = Buffer.concat([Buffer.of(first), rest]);
      const found = isDisconnect(bytes);
      const frames = readFrameSet(bytes)?.frames;
      if (found && frames !== undefined) expect(frames.some(saysSo)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
