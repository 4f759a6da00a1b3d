import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseIp } from "./address.ts";
import { encodeProxyV2, proxyV2Local } from "./proxy-v2.ts";
import { payload2BytesMax, type ProxyHeaderResult, readProxyHeader } from "./read-proxy-header.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

const player = { ip: ip("203.0.113.7"), port: 51_234 };
const edge = { ip: ip("198.51.100.1"), port: 25_565 };
const player6 = { ip: ip("2001:db8::1"), port: 1 };
const edge6 = { ip: ip("2001:db8::2"), port: 65_535 };

const line = (text: string): Buffer => Buffer.from(`PROXY ${text}\r\n`, "latin1");
const v2 = (hex: string): Buffer => Buffer.from(`0d0a0d0a000d0a515549540a${hex}`, "hex");

/** Golden bytes, transcribed from haproxy.org, "The PROXY protocol", 2.1 and 2.2. */
const headers: [string, Buffer, Partial<Extract<ProxyHeaderResult, { kind: "header" }>>][] = [
  [
    "version 2, IPv4",
    v2("2111000ccb007107c6336401c82263dd"),
    { ends: { source: player, destination: edge } },
  ],
  [
    "version 2, IPv6",
    encodeProxyV2(player6, edge6),
    { ends: { source: player6, destination: edge6 } },
  ],
  [
    "version 2, IPv4 in IPv6",
    encodeProxyV2(player, edge6),
    { ends: { source: player, destination: edge6 } },
  ],
  [
    "version 2 with more behind the addresses",
    v2("21110013cb007107c6336401c82263dd0400040a0b0c0d"),
    { ends: { source: player, destination: edge } },
  ],
  ["version 2, LOCAL", Buffer.from(proxyV2Local), { ends: undefined }],
  ["version 2, LOCAL with addresses", v2("2011000ccb007107c6336401c82263dd"), { ends: undefined }],
  ["version 2, unspecified", v2("21000000"), { ends: undefined }],
  [
    "version 1, IPv4",
    line("TCP4 203.0.113.7 198.51.100.1 51234 25565"),
    { ends: { source: player, destination: edge } },
  ],
  [
    "version 1, IPv6",
    line("TCP6 2001:db8::1 2001:db8::2 1 65535"),
    { ends: { source: player6, destination: edge6 } },
  ],
  ["version 1, unknown", line("UNKNOWN"), { ends: undefined }],
  ["version 1, unknown with addresses", line("UNKNOWN ffff::1 ffff::2 1 2"), { ends: undefined }],
];

describe("incoming PROXY headers", () => {
  test.each(headers)("%s is read at every split, and not a byte further", (_, header, expected) => {
    const rest = Buffer.from("rest");
    for (let cut = 0; cut < header.length; cut++) {
      expect(readProxyHeader(header.subarray(0, cut))).toEqual({ kind: "need-more" });
    }
    for (const bytes of [header, Buffer.concat([header, rest])]) {
      expect(readProxyHeader(bytes)).toEqual({
        kind: "header",
        length: header.length,
        ...expected,
      });
    }
  });

  test.each([
    ["a handshake", Buffer.from("10008006", "hex")],
    ["another word", Buffer.from("PROXIES")],
    ["another signature", Buffer.from("0d0a0d0a000d0a515549540b", "hex")],
    ["version 3", v2("3111000ccb007107c6336401c82263dd")],
    ["another command", v2("2211000ccb007107c6336401c82263dd")],
    ["UDP", v2("2112000ccb007107c6336401c82263dd")],
    ["a Unix socket", v2("213100d8")],
    ["too few bytes for its addresses", v2("2111000b")],
    [
      "more than is ever waited for",
      v2(`2111${(payload2BytesMax + 1).toString(16).padStart(4, "0")}`),
    ],
    ["a line without end", Buffer.from(`PROXY TCP4 ${"1".repeat(200)}`)],
    ["a line of another family", line("TCP4 2001:db8::1 2001:db8::2 1 2")],
    ["a line with IPv4 as IPv6", line("TCP6 203.0.113.7 198.51.100.1 1 2")],
    ["a line with a port too high", line("TCP4 203.0.113.7 198.51.100.1 65536 1")],
    ["a line with octal", line("TCP4 0203.0.113.7 198.51.100.1 1 1")],
    ["a line without ports", line("TCP4 203.0.113.7 198.51.100.1")],
    ["a line of UDP", line("UDP4 203.0.113.7 198.51.100.1 1 1")],
    ["a line with two spaces", line("TCP4  203.0.113.7 198.51.100.1 1 1")],
  ])("%s is malformed", (_, bytes) => {
    expect(readProxyHeader(bytes)).toEqual({ kind: "malformed" });
  });

  test("hostile bytes never throw, and it never waits for more than the cap", () => {
    const beginning = fc.constantFrom("", "PROXY ", "PROXY TCP4 ", "\r\n\r\n\0\r\nQUIT\n", "\r\n");
    const bytes = fc
      .tuple(beginning, fc.uint8Array({ maxLength: 4_096, size: "max" }))
      .map(([text, more]) => Buffer.concat([Buffer.from(text, "latin1"), more]));
    fc.assert(
      fc.property(bytes, (input) => {
        const result = readProxyHeader(input);
        if (result.kind === "need-more") expect(input.length).toBeLessThan(16 + payload2BytesMax);
        if (result.kind === "header") expect(result.length).toBeLessThanOrEqual(input.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("written headers are read back", () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6()).map(ip);
    const endpoint = fc.record({ ip: address, port: fc.nat(65_535) });
    fc.assert(
      fc.property(endpoint, endpoint, (source, destination) => {
        const header = encodeProxyV2(source, destination);
        const result = readProxyHeader(header);
        expect(result).toEqual({
          kind: "header",
          length: header.length,
          ends: { source, destination },
        });
      }),
    );
  });
});
