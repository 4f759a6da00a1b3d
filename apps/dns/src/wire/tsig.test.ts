import { describe, expect, test } from "vitest";
import { readSignedAnswer, type SignedAnswer } from "#src/wire/signed-answer.ts";
import {
  recordedAnswer,
  recordedAtSeconds,
  recordedBadKey,
  recordedBadSignature,
  recordedKey,
  recordedRequest,
} from "#src/wire/test-tsig.ts";
import { checkSignature, signMessage, tsigError } from "#src/wire/tsig.ts";

const additionalCountAt = 10;

function read(message: Buffer): SignedAnswer {
  const answer = readSignedAnswer(message);
  if (answer === null) throw new Error("malformed");
  return answer;
}

function macOf(message: Buffer): Buffer {
  return read(message).tsig?.mac ?? Buffer.alloc(0);
}

/** The request as it was before it was signed. */
function unsignedRequest(): Buffer {
  const unsigned = Buffer.from(recordedRequest.subarray(0, read(recordedRequest).tsig?.start));
  unsigned.writeUInt16BE(0, additionalCountAt);
  return unsigned;
}

const check = (message: Buffer, mac = macOf(recordedRequest), nowSeconds = recordedAtSeconds) =>
  checkSignature(read(message), mac, recordedKey, nowSeconds);

describe("TSIG (RFC 8945)", () => {
  test("signs as nsupdate does, byte for byte", () => {
    const { message, mac } = signMessage(unsignedRequest(), recordedKey, recordedAtSeconds);
    expect(message.toString("hex")).toBe(recordedRequest.toString("hex"));
    expect(mac).toEqual(macOf(recordedRequest));
  });

  test("a key's name may be in any case, and with or without its trailing dot", () => {
    const key = { ...recordedKey, name: "Palisade-Export." };
    const { message } = signMessage(unsignedRequest(), key, recordedAtSeconds);
    expect(message.toString("hex")).toBe(recordedRequest.toString("hex"));
  });

  test("accepts BIND's answer to that request, and to no other", () => {
    expect(check(recordedAnswer)).toBe("valid");
    expect(check(recordedAnswer, Buffer.alloc(32))).toBe("wrong");
  });

  test("accepts no answer with any bit changed", () => {
    const { start = 0 } = read(recordedAnswer).tsig ?? {};
    // The id is restored from the record, whose own TTL is not what is signed but always 0
    // (section 4.3.3); and names are compared in lower case.
    const isUnsigned = (at: number, bit: number): boolean =>
      at < 2 || (at >= start + 21 && at < start + 25) || (at > start && 1 << bit === 0x20);
    const taken: string[] = [];
    for (let at = 0; at < recordedAnswer.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(recordedAnswer);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        if (isUnsigned(at, bit) || readSignedAnswer(changed) === null) continue;
        if (check(changed) === "valid") taken.push(`byte ${at} bit ${bit}`);
      }
    }
    expect(taken).toEqual([]);
  });

  test("tells a shortened, an outdated and a missing signature apart", () => {
    const answer = read(recordedAnswer);
    const { tsig } = answer;
    if (tsig === null) throw new Error("not signed");
    const shortened = { ...answer, tsig: { ...tsig, mac: tsig.mac.subarray(0, 16) } };
    const mac = macOf(recordedRequest);
    expect(checkSignature(shortened, mac, recordedKey, recordedAtSeconds)).toBe("wrong");
    expect(check(recordedAnswer, mac, recordedAtSeconds + 301)).toBe("outdated");
    expect(check(recordedAnswer, mac, recordedAtSeconds + 300)).toBe("valid");
    expect(checkSignature({ ...answer, tsig: null }, mac, recordedKey, 0)).toBe("absent");
    const other = { ...recordedKey, name: "other" };
    expect(checkSignature(answer, mac, other, recordedAtSeconds)).toBe("foreign_key");
  });

  test("reads why a server refuses a signature", () => {
    expect(read(recordedBadSignature)).toMatchObject({
      rcode: 9,
      tsig: { error: tsigError.badSignature, mac: Buffer.alloc(0) },
    });
    expect(read(recordedBadKey)).toMatchObject({
      rcode: 9,
      tsig: { error: tsigError.badKey, mac: Buffer.alloc(0) },
    });
  });
});
