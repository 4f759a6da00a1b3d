import { challenges } from "@palisade/login-rules/shared/verified-players";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkTransferCookie,
  cookieLifeMs,
  createTransferCookie,
  UsedCookies,
} from "./transfer-cookie.ts";

const key = Buffer.alloc(32, 7);
const nowMs = 1_790_000_000_000;
const steve = { name: "Steve", ip: ip("203.0.113.9") };

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(text);
  return bytes;
}

function check(cookie: Uint8Array, subject = steve, atMs = nowMs, under = key): string {
  return checkTransferCookie(cookie, subject, under, atMs).kind;
}

describe("transfer cookie", () => {
  const cookie = createTransferCookie(steve, "protocol", key, nowMs);

  test.each([
    ["the same player", steve],
    ["a neighbour's address", { name: "Steve", ip: ip("203.0.113.200") }],
    ["another case of the name", { name: "sTEVE", ip: steve.ip }],
  ])("proves %s", (_what, subject) => {
    expect(check(cookie, subject)).toBe("valid");
  });

  test.each([
    ["another name", { name: "Steve2", ip: steve.ip }],
    ["another network", { name: "Steve", ip: ip("203.0.114.9") }],
    ["another family of addresses", { name: "Steve", ip: ip("2001:db8::9") }],
  ])("proves nothing for %s", (_what, subject) => {
    expect(check(cookie, subject)).toBe("foreign");
  });

  test("for IPv6 it proves the /64", () => {
    const alex = { name: "Alex", ip: ip("2001:db8:1:2::9") };
    const hers = createTransferCookie(alex, "protocol", key, nowMs);
    expect(check(hers, { name: "Alex", ip: ip("2001:db8:1:2:ffff::1") })).toBe("valid");
    expect(check(hers, { name: "Alex", ip: ip("2001:db8:1:3::9") })).toBe("foreign");
  });

  test("lives for a minute", () => {
    expect(check(cookie, steve, nowMs + cookieLifeMs - 1)).toBe("valid");
    expect(check(cookie, steve, nowMs + cookieLifeMs)).toBe("expired");
  });

  test.each(challenges)("tells that %s was shown", (challenge) => {
    const shown = createTransferCookie(steve, challenge, key, nowMs);
    expect(checkTransferCookie(shown, steve, key, nowMs)).toMatchObject({
      kind: "valid",
      challenge,
    });
  });

  test("a cookie of another shield proves nothing", () => {
    expect(check(cookie, steve, nowMs, Buffer.alloc(32, 8))).toBe("foreign");
  });

  test("with any byte changed, torn, or made up proves nothing", () => {
    fc.assert(
      fc.property(fc.nat(cookie.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(cookie);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(check(changed)).toBe("foreign");
        expect(check(cookie.subarray(0, at))).toBe("foreign");
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (bytes) => {
        expect(check(bytes)).toBe("foreign");
      }),
    );
  });
});

describe("used cookies", () => {
  test("each counts once while it lives, on every worker", () => {
    const buffer = UsedCookies.allocate(64);
    const workers = [new UsedCookies(buffer), new UsedCookies(buffer)];
    const used = workers.map((worker) => worker.use(0x1234_5678_9abc_def0n, nowMs + 60_000, nowMs));
    expect(used).toEqual([true, false]);
  });

  test("each stays used to the last millisecond of its life, also after the clock was set back", () => {
    const used = new UsedCookies(UsedCookies.allocate(64));
    const expiresAtMs = nowMs + 59_999;
    expect(used.use(7n, expiresAtMs, nowMs)).toBe(true);
    expect(used.use(7n, expiresAtMs, expiresAtMs - 1)).toBe(false);
    expect(used.use(7n, expiresAtMs, nowMs - 24 * 3_600_000)).toBe(false);
  });

  test("a crowded table never lets one count twice, and takes new ones once old ones are dead", () => {
    const used = new UsedCookies(UsedCookies.allocate(16));
    const ids = Array.from({ length: 40 }, (_, n) => (BigInt(n + 1) << 32n) | BigInt(n));
    const first = ids.map((id) => used.use(id, nowMs + 60_000, nowMs));
    expect(first.filter(Boolean)).toHaveLength(16);
    expect(ids.map((id) => used.use(id, nowMs + 60_000, nowMs)).some(Boolean)).toBe(false);
    const later = nowMs + 61_000;
    expect(used.use(0xffff_0000_0000_0001n, later + 60_000, later)).toBe(true);
  });
});
