import { describe, expect, test } from "vitest";
import { HandshakeCookies } from "./handshake-cookie.ts";

describe("a cookie of the handshake", () => {
  const client = { ip: Uint8Array.of(203, 0, 113, 7), port: 50_000 };
  const request = { protocol: 11, round: 1 } as const;
  let nowMs = 1_000_000;
  const cookies = new HandshakeCookies(() => nowMs);

  test("is good for its address, its port and ours alone", () => {
    const cookie = cookies.cookieFor(client, 19_132, request);
    const others = [
      { ...client, port: 50_001 },
      { ...client, ip: Uint8Array.of(203, 0, 113, 8) },
      { ...client, ip: new Uint8Array(16) },
    ];
    expect(cookies.find(cookie, client, 19_132)).toEqual(request);
    expect(cookies.find(cookie, client, 19_133)).toBeUndefined();
    for (const other of others) expect(cookies.find(cookie, other, 19_132)).toBeUndefined();
  });

  test("keeps the version of RakNet and the round that it was made for", () => {
    const requests = [
      { protocol: 9, round: 1 },
      { protocol: 10, round: 2 },
      { protocol: 11, round: 2 },
    ] as const;
    for (const each of requests) {
      expect(cookies.find(cookies.cookieFor(client, 19_132, each), client, 19_132)).toEqual(each);
    }
  });

  test("is good through the next window of time, and no longer", () => {
    const cookie = cookies.cookieFor(client, 19_132, request);
    nowMs += 30_000;
    expect(cookies.find(cookie, client, 19_132)).toEqual(request);
    expect(cookies.cookieFor(client, 19_132, request)).not.toBe(cookie);
    nowMs += 30_000;
    expect(cookies.find(cookie, client, 19_132)).toBeUndefined();
  });

  test("is not good any more after a long pause", () => {
    const cookie = cookies.cookieFor(client, 19_132, request);
    nowMs += 10 * 30_000;
    expect(cookies.find(cookie, client, 19_132)).toBeUndefined();
  });
});
