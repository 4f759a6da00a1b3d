import { describe, expect, test } from "vitest";
import { HandshakeCookies } from "./handshake-cookie.ts";
import { halfSipHash } from "./half-sip-hash.ts";

describe("HalfSipHash-2-4", () => {
  /** Of the reference code: the key is 00 to 07, the input the first bytes of 00 01 02 and so on. */
  const expected = [
    0x5b9f35a9, 0xb85a4727, 0x03a662fa, 0x04e7fe8a, 0x89466e2a, 0x69b6fac5, 0x23fc6358, 0xc563cf8b,
    0x8f84b8d0, 0x79e706f8, 0x3479b094, 0x50300808, 0x2f87f057, 0xff63e677, 0x7cf8ffd6, 0x972bfe74,
    0x84acb5d9, 0x5b6474c4, 0x9b8d5b46, 0x87e3ef7b, 0x45104de3, 0xb3623f61,
  ];
  const key = Uint32Array.of(0x03020100, 0x07060504);

  test.each(expected.map((value, length) => [length, value] as const))(
    "gives the reference's value for %i bytes",
    (length, value) => {
      expect(
        halfSipHash(
          key,
          Uint8Array.from({ length }, (_, index) => index),
        ),
      ).toBe(value);
    },
  );
});

describe("a cookie of the handshake", () => {
  const client = { ip: Uint8Array.of(203, 0, 113, 7), port: 50_000 };
  let nowMs = 1_000_000;
  const cookies = new HandshakeCookies(() => nowMs);

  test("is good for its address, its port and ours alone", () => {
    const cookie = cookies.cookieFor(client, 19_132);
    expect(cookies.isOf(cookie, client, 19_132)).toBe(true);
    expect(cookies.isOf(cookie, client, 19_133)).toBe(false);
    expect(cookies.isOf(cookie, { ...client, port: 50_001 }, 19_132)).toBe(false);
    expect(cookies.isOf(cookie, { ...client, ip: Uint8Array.of(203, 0, 113, 8) }, 19_132)).toBe(
      false,
    );
    expect(cookies.isOf(cookie, { ...client, ip: new Uint8Array(16) }, 19_132)).toBe(false);
  });

  test("is good through the next window of time, and no longer", () => {
    const cookie = cookies.cookieFor(client, 19_132);
    nowMs += 30_000;
    expect(cookies.isOf(cookie, client, 19_132)).toBe(true);
    expect(cookies.cookieFor(client, 19_132)).not.toBe(cookie);
    nowMs += 30_000;
    expect(cookies.isOf(cookie, client, 19_132)).toBe(false);
  });

  test("is not good any more after a long pause", () => {
    const cookie = cookies.cookieFor(client, 19_132);
    nowMs += 10 * 30_000;
    expect(cookies.isOf(cookie, client, 19_132)).toBe(false);
  });
});
