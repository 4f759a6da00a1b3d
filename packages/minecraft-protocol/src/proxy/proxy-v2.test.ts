import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseIp } from "./address.ts";
import { encodeProxyV2, proxyV2Local } from "./proxy-v2.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

const signature = "0d0a0d0a000d0a515549540a";

/** Transcribed from haproxy.org, "The PROXY protocol", 2.2. */
describe("PROXY protocol v2", () => {
  test("IPv4", () => {
    const header = encodeProxyV2(
      { ip: ip("203.0.113.7"), port: 51_234 },
      { ip: ip("198.51.100.1"), port: 25_565 },
    );
    expect(header.toString("hex")).toBe(`${signature}2111000ccb007107c6336401c82263dd`);
  });

  test("IPv6, with IPv4 written as mapped where the families differ", () => {
    const v6 = { ip: ip("2001:db8::1"), port: 1 };
    const v4 = { ip: ip("203.0.113.7"), port: 2 };
    const wide = "20010db8000000000000000000000001";
    expect(encodeProxyV2(v6, v6).toString("hex")).toBe(
      `${signature}21210024${wide}${wide}00010001`,
    );
    expect(encodeProxyV2(v4, v6).toString("hex")).toBe(
      `${signature}2121002400000000000000000000ffffcb007107${wide}00020001`,
    );
  });

  test("LOCAL", () => {
    expect(Buffer.from(proxyV2Local).toString("hex")).toBe(`${signature}20000000`);
  });
});

describe("addresses", () => {
  test("mapped IPv4 is IPv4", () => {
    expect(parseIp("::ffff:203.0.113.7")).toEqual(ip("203.0.113.7"));
    expect(parseIp("::FFFF:cb00:7107")).toEqual(ip("203.0.113.7"));
    expect(parseIp("::1")?.length).toBe(16);
  });

  test("addresses come back as they were written", () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(ip(text).join(".")).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        expect(parseIp(text)).toBeDefined();
      }),
    );
  });

  test("exactly the addresses that the system accepts are accepted", () => {
    const piece = fc.constantFrom(
      "1",
      "0",
      "255",
      "256",
      "01",
      ":",
      "::",
      ".",
      "ffff",
      "g",
      "a0",
      " ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((p) => p.join("")),
        ),
        (text) => {
          expect(parseIp(text) !== undefined).toBe(isIP(text) !== 0 && !text.includes("%"));
        },
      ),
      { numRuns: 5000 },
    );
  });
});
