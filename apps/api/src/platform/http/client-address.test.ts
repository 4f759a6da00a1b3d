import { describe, expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const proxies = ["10.0.0.0/8", "::1", "2001:db8:1::/48"];

function addressOf(remoteAddress: string | undefined, forwardedFor?: string | string[]): string {
  return clientAddress(proxies)({
    headers: forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
    socket: { remoteAddress } as never,
  });
}

describe("the caller's address", () => {
  test.each([
    ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "203.0.113.7:51234", "203.0.113.7"],
    ["10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"],
    ["10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
    ["10.0.0.1", " 2001:DB8:0::7 ", "2001:db8::7"],
    ["10.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["::1", "198.51.100.1, 203.0.113.7, 10.1.1.1:80, 2001:db8:1::5", "203.0.113.7"],
  ])("behind %s with '%s' is %s", (remote, header, expected) => {
    expect(addressOf(remote, header)).toBe(expected);
  });

  test("is the connection's when that is no trusted proxy, whatever the header says", () => {
    expect(addressOf("192.0.2.1", "203.0.113.7")).toBe("192.0.2.1");
    expect(addressOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(addressOf("fe80::1%eth0")).toBe("fe80::1");
    expect(addressOf(undefined)).toBe("0.0.0.0");
  });

  test.each([
    "unknown",
    "_hidden",
    "",
    "127.1",
    "0x7f000001",
    "2130706433",
    "1.2.3.4.5",
    "1.2.3.4:port",
    "a\u0000b",
    "1.2.3.4'; drop table users",
    "<script>",
    "[1.2.3.4",
  ])("never is a text that is no address: '%s'", (value) => {
    expect(addressOf("10.0.0.1", value)).toBe("10.0.0.1");
    // The caller may have written what is left of it.
    expect(addressOf("10.0.0.1", `203.0.113.7, ${value}`)).toBe("10.0.0.1");
    expect(addressOf("10.0.0.1", `${value}, 203.0.113.7`)).toBe("203.0.113.7");
  });
});
