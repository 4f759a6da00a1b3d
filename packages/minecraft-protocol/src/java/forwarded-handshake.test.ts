import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withForwardedHost } from "./forwarded-handshake.ts";
import { decodeHandshake, encodeHandshake } from "./handshake.ts";
import { forwardedHost } from "./host.ts";

const rest = Buffer.from("login start and more");

function sent(host: string) {
  const handshake = encodeHandshake({ protocol: 767, host, port: 25_565, intent: "login" });
  return { bytes: Buffer.concat([handshake, rest]), end: handshake.length };
}

describe("the host that a backend gets", () => {
  test.each([
    "play.example.org",
    "Play.Example.org.",
    "play.example.org\0FML\0",
    "play.example.org\0FML2\0",
    "play.example.org\0FML3\0",
    "play.example.org\0FORGE",
    "play.example.org\0FORGE4",
    "play.example.org//203.0.113.7",
    "пример.example.org",
  ])("is %j as the client has sent it, without a copy", (host) => {
    const { bytes, end } = sent(host);
    expect(withForwardedHost(bytes, end)).toBe(bytes);
  });

  test.each([
    // BungeeCord: address, account, and its properties as JSON.
    ["play.example.org\x00203.0.113.7\x00069a79f444e94726a5befca90e38aaf5", "play.example.org"],
    ['play.example.org\x0010.0.0.1\x00069a79f4\x00[{"name":"textures"}]', "play.example.org"],
    ["play.example.org\0FML2\x00203.0.113.7\x00069a79f4", "play.example.org\0FML2\0"],
    ["play.example.org\x00203.0.113.7\x00069a79f4\0FML\0", "play.example.org\0FML\0"],
    ["play.example.org\0FORGE7\x00203.0.113.7", "play.example.org\0FORGE7"],
    ["play.example.org\0FORGE12345", "play.example.org\0FORGE123"],
    // RealIP and TCPShield: address, time and signature.
    ["play.example.org///203.0.113.7:25565///1700000000", "play.example.org"],
    ["play.example.org///203.0.113.7:1///1700000000///c2ln\0FML2\0", "play.example.org\0FML2\0"],
    ["play.example.org\0FML3\0///203.0.113.7:1///1700000000", "play.example.org\0FML3\0"],
    ["play.example.org///203.0.113.7:1\n///2", "play.example.org"],
    ["play.example.org\r\nX-Real-IP: 203.0.113.7", "play.example.org"],
    ["play.example.org\x7f", "play.example.org"],
    ["\0", ""],
  ])("is without what follows in %j", (host, forwarded) => {
    const { bytes, end } = sent(host);
    const result = withForwardedHost(bytes, end);
    const expected = sent(forwarded);
    expect(result.equals(expected.bytes)).toBe(true);
    expect(decodeHandshake(result, 2, expected.end).ok).toBe(true);
  });

  test("has no control character and no /// but a mod loader's marker at its end, whatever was sent", () => {
    const part = fc.constantFrom(
      "\0",
      "///",
      "FML",
      "FML2\0",
      "FORGE",
      "7",
      "a.b",
      "\n",
      "\u0085",
      "é",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const forwarded = forwardedHost(parts.join(""));
        const host = forwarded.replace(/\0(?:FML[23]?\0?|FORGE\d{0,3})$/u, "");
        expect(host).not.toMatch(/\p{Cc}|\/\/\//u);
        expect(forwardedHost(forwarded)).toBe(forwarded);
      }),
      { numRuns: 5_000 },
    );
  });
});
