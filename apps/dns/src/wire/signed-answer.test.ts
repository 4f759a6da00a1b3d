import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeOf } from "#src/export/update-outcome.ts";
import { encodeName, readName } from "#src/wire/name.ts";
import { readSignedAnswer } from "#src/wire/signed-answer.ts";
import {
  recordedAnswer,
  recordedAtSeconds,
  recordedBadKey,
  recordedBadSignature,
  recordedId,
  recordedKey,
  recordedRequest,
} from "#src/wire/test-tsig.ts";

const mac = readSignedAnswer(recordedRequest)?.tsig?.mac ?? Buffer.alloc(0);
const recordedMac = readSignedAnswer(recordedAnswer)?.tsig?.mac ?? Buffer.alloc(1);
const judge = (answer: Buffer) =>
  outcomeOf(answer, { id: recordedId, mac }, recordedKey, recordedAtSeconds);

/** Recorded messages with some bytes overwritten, cut somewhere or run on. */
const mutated = fc
  .record({
    base: fc.constantFrom(recordedAnswer, recordedBadKey, recordedBadSignature, recordedRequest),
    changes: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
    length: fc.nat(400),
    tail: fc.uint8Array({ maxLength: 20 }),
  })
  .map(({ base, changes, length, tail }) => {
    const message = Buffer.concat([base.subarray(0, length), tail]);
    for (const [at, byte] of changes) if (at < message.length) message[at] = byte;
    return message;
  });

describe("answers of untrusted origin", () => {
  test("never throw, and give 'done' only with a valid signature", () => {
    const any = fc.oneof(
      mutated,
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(any, (message) => {
        const outcome = judge(message);
        // The signature's own test covers every other bit.
        return outcome.kind !== "done" || message.includes(recordedMac);
      }),
      { numRuns: 5_000 },
    );
    expect(judge(recordedAnswer)).toEqual({ kind: "done" });
  });

  test("counts larger than the message end with it", () => {
    const message = Buffer.alloc(32 * 1024);
    recordedAnswer.copy(message);
    message.fill(0xff, 4, 12);
    expect(readSignedAnswer(message)).toBeNull();
  });

  test("names of pointers to pointers end", () => {
    const pointers = Buffer.alloc(16 * 1024);
    for (let at = 2; at < pointers.length; at += 2) pointers.writeUInt16BE(0xc000 | (at - 2), at);
    expect(readName(pointers, pointers.length - 2)).toBeNull();
    expect(readName(Buffer.from([0xc0, 0x00]), 0)).toBeNull();
    expect(readName(Buffer.from([0xc0]), 0)).toBeNull();
  });

  test("names are read in the signed form: lower case, uncompressed", () => {
    const message = Buffer.from("\x02GS\x04test\x00\x05Label\xc0\x00", "latin1");
    expect(readName(message, 9)).toEqual({ wire: encodeName("label.gs.test"), end: 17 });
  });

  test.each([`${"a".repeat(64)}.test`, "a..test", `${"abcdefg.".repeat(40)}test`])(
    "%s is no name",
    (name) => {
      expect(() => encodeName(name)).toThrow(RangeError);
    },
  );

  test("a refusal is named, with the clock difference if the server sends its time", () => {
    expect(judge(withId(recordedBadSignature))).toMatchObject({ refusal: "BADSIG" });
    expect(judge(withId(recordedBadKey))).toMatchObject({ refusal: "BADKEY" });
    const header = (code: number) => Buffer.from([0x9e, 0xad, 0xa8, code, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(judge(header(5))).toMatchObject({ kind: "refused", refusal: "REFUSED" });
    expect(judge(header(7))).toMatchObject({ kind: "refused", refusal: "other", rcode: 7 });
    expect(judge(header(0))).toEqual({ kind: "untrusted", reason: "is not signed" });
  });
});

function withId(message: Buffer): Buffer {
  const changed = Buffer.from(message);
  changed.writeUInt16BE(recordedId, 0);
  return changed;
}
