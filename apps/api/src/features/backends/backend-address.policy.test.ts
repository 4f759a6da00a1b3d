import { describe, expect, test } from "vitest";
import { isPublicBackend, normalizeBackend } from "./backend-address.policy.ts";

describe("normalizeBackend", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["2001:DB8:0:0:0:0:0:7", "2001:db8::7"],
    ["2001:0db8::0007", "2001:db8::7"],
    ["MC.Example.COM.", "mc.example.com"],
    // Never read as addresses: what they mean depends on who reads them.
    ["010.0.0.1", "010.0.0.1"],
    ["127.1", "127.1"],
    ["0x7f000001", "0x7f000001"],
  ])("%s is %s", (typed, normal) => {
    expect(normalizeBackend(typed)).toBe(normal);
    expect(normalizeBackend(normal)).toBe(normal);
  });
});

describe("isPublicBackend", () => {
  test.each([
    "127.0.0.1",
    "10.0.0.1",
    "172.16.9.9",
    "192.168.1.10",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "localhost.localdomain",
    "db.internal",
    "printer.local",
    "postgres.default.svc.cluster.local",
    "mc.localhost",
    "mc.localhost.",
  ])("%s is refused", (host) => {
    expect(isPublicBackend(host, [])).toBe(false);
  });

  test.each(["1.1.1.1", "8.8.8.8", "2606:4700::1111", "mc.example.com", "localhost.example.com"])(
    "%s is accepted",
    (host) => {
      expect(isPublicBackend(host, [])).toBe(true);
    },
  );

  test("ranges the operator allows are accepted, others are not", () => {
    const allowed = ["10.1.0.0/16", "fd00:1::/32", "192.168.1.5"];
    expect(isPublicBackend("10.1.2.3", allowed)).toBe(true);
    expect(isPublicBackend("::ffff:10.1.2.3", allowed)).toBe(true);
    expect(isPublicBackend("fd00:1::9", allowed)).toBe(true);
    expect(isPublicBackend("192.168.1.5", allowed)).toBe(true);
    expect(isPublicBackend("10.2.0.1", allowed)).toBe(false);
    expect(isPublicBackend("192.168.1.6", allowed)).toBe(false);
  });
});
