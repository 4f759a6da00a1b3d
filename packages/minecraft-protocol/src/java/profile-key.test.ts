import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { profileKeyOf } from "./profile-key.ts";

const signature = Buffer.alloc(512, 7);

function rsaKey(modulusLength: number): Buffer {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
  return publicKey.export({ type: "spki", format: "der" });
}

const key = rsaKey(2_048);
const otherAlgorithm = generateKeyPairSync("ed25519").publicKey;

function isReadable(bytes: Buffer, signed = signature): boolean {
  return profileKeyOf(0n, bytes, signed).isReadable;
}

describe("a profile key", () => {
  test("is read as clients send it, with its expiry", () => {
    const expiresAtMs = 1_800_000_000_123;
    const read = profileKeyOf(BigInt(expiresAtMs), key, signature);
    expect(read).toEqual({ expiresAtMs, isReadable: true });
    expect(isReadable(rsaKey(3_072))).toBe(true);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(294)],
    ["a key that anybody could break", rsaKey(1_024)],
    ["a key of another kind", otherAlgorithm.export({ type: "spki", format: "der" })],
    ["a key and a byte more", Buffer.concat([key, Buffer.of(0)])],
  ])("is unreadable when it is %s", (_what, bytes) => {
    expect(isReadable(bytes)).toBe(false);
  });

  test("is unreadable without a signature", () => {
    expect(isReadable(key, Buffer.alloc(0))).toBe(false);
    expect(isReadable(key, Buffer.alloc(2))).toBe(false);
  });

  test("is unreadable when it ends early, and no bytes throw", () => {
    for (let length = 0; length < key.length; length++) {
      expect(isReadable(key.subarray(0, length))).toBe(false);
    }
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(key);
        changed[at] = value;
        isReadable(changed);
      }),
    );
  });
});
