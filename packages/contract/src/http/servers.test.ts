import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createServerBody, isBackendAddress, normalizeClaim, normalizeDomain } from "./servers.ts";

describe("normalizeDomain", () => {
  test.each([
    ["play.example.com", "play.example.com"],
    ["Play.EXAMPLE.com.", "play.example.com"],
    ["  mc.example.org ", "mc.example.org"],
    ["игра.рф", "xn--80afo7a.xn--p1ai"],
    ["a--b.example.co", "a--b.example.co"],
  ])("%s is stored as %s", (typed, stored) => {
    expect(normalizeDomain(typed)).toBe(stored);
  });

  test.each([
    "localhost",
    "example",
    "-a.example.com",
    "a-.example.com",
    "a..example.com",
    "1.2.3.4",
    "example.c",
    "example.com:25565",
    "user@example.com",
    "example.com/path",
    "exa mple.com",
    "*.example.com",
    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(130)}com`,
    "example.com\u0000",
    "",
  ])("%j is refused", (typed) => {
    expect(normalizeDomain(typed)).toBeNull();
  });

  test("never throws, and what it returns is its own normal form", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.domain()), (typed) => {
        const stored = normalizeDomain(typed);
        if (stored !== null) {
          expect(stored.length).toBeLessThanOrEqual(253);
          expect(normalizeDomain(stored)).toBe(stored);
        }
      }),
    );
  });
});

describe("normalizeClaim", () => {
  test.each([
    ["*.Example.COM.", "*.example.com"],
    [" *.игра.рф", "*.xn--80afo7a.xn--p1ai"],
    ["Play.example.com", "play.example.com"],
  ])("%s is stored as %s", (typed, stored) => {
    expect(normalizeClaim(typed)).toBe(stored);
  });

  test.each([
    "*",
    "*.",
    "*.com",
    "*.*.example.com",
    "a.*.example.com",
    "**.example.com",
    "*example.com",
  ])("%s is refused", (typed) => {
    expect(normalizeClaim(typed)).toBeNull();
  });

  test("a wildcard is stored exactly as its parent is, within the length of a name", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.domain()), (typed) => {
        const parent = normalizeDomain(typed.trim());
        const stored = normalizeClaim(`*.${typed.trim()}`);
        if (stored === null) expect(parent === null || parent.length > 251).toBe(true);
        else expect(stored).toBe(`*.${parent}`);
        expect((stored ?? "").length).toBeLessThanOrEqual(253);
      }),
    );
  });
});

describe("isBackendAddress", () => {
  test.each(["1.2.3.4", "255.255.255.255", "2001:db8::1", "mc.example.com"])(
    "%s is one",
    (value) => {
      expect(isBackendAddress(value)).toBe(true);
    },
  );

  test.each([
    "256.1.1.1",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "2130706433",
    "0x7f000001",
    "a b",
    "http://x.y",
  ])("%s is none", (value) => {
    expect(isBackendAddress(value)).toBe(false);
  });
});

describe("createServerBody", () => {
  const valid = {
    pricing_plan_id: "018f2c3e-0000-7000-8000-000000000001",
    server_name: "Sky Block_1-a",
    real_ip: "203.0.113.7",
    real_port: 25_565,
    location: "local",
    domain: "play.example.com",
    cname_record: "abcdefghijkl.gs.localhost",
  };

  const refusals: [string, unknown, string][] = [
    ["pricing_plan_id", undefined, "pricing_plan_id.required"],
    ["pricing_plan_id", "", "pricing_plan_id.required"],
    ["pricing_plan_id", "7", "pricing_plan_id.invalid"],
    ["server_name", undefined, "server_name.required"],
    ["server_name", "", "server_name.required"],
    ["server_name", "a".repeat(256), "server_name.max"],
    ["server_name", "a<b>", "server_name.characters"],
    ["real_ip", undefined, "real_ip.required"],
    ["real_ip", "256.0.0.1", "real_ip.invalid"],
    ["real_port", undefined, "real_port.required"],
    ["real_port", 1.5, "real_port.integer"],
    ["real_port", "25565", "real_port.integer"],
    ["real_port", 0, "real_port.range"],
    ["real_port", 65_536, "real_port.range"],
    ["location", "", "location.required"],
    ["domain", "", "domain.required"],
    ["domain", "nope", "domain.invalid"],
    ["cname_record", "", "cname_record.required"],
    ["cname_record", "a".repeat(256), "cname_record.max"],
  ];

  test("a complete form is accepted", () => {
    expect(createServerBody.safeParse(valid).success).toBe(true);
  });

  test.each(refusals)("%s = %.40j is refused with %s", (field, value, key) => {
    const result = createServerBody.safeParse({ ...valid, [field]: value });
    expect(result.error?.issues[0]).toMatchObject({ path: [field], message: key });
  });
});
