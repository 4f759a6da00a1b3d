import { BlockList, isIPv6 } from "node:net";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { versionRange } from "@palisade/minecraft-protocol/java/versions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AddressSet, compileAddressSet } from "./address-set.ts";
import { decideLogin, type LoginRules } from "./login-verdict.ts";
import { traceCode } from "./trace-code.ts";

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

function setOf(...entries: string[]): AddressSet {
  const result = compileAddressSet(entries);
  if (!result.ok) throw new Error(result.invalid);
  return result.set;
}

describe("address set", () => {
  test("holds addresses and ranges of both families, and nothing beside them", () => {
    const set = setOf("203.0.113.7", "10.1.0.0/16", "2001:db8::/32", "::1", "0.0.0.0/32");
    for (const inside of ["203.0.113.7", "10.1.0.0", "10.1.255.255", "2001:db8:ffff::1", "::1"]) {
      expect(set.has(ip(inside)), inside).toBe(true);
    }
    for (const outside of ["203.0.113.6", "203.0.113.8", "10.0.255.255", "10.2.0.0", "::2"]) {
      expect(set.has(ip(outside)), outside).toBe(false);
    }
  });

  test("an IPv4-mapped peer is the IPv4 address it stands for, in entries too", () => {
    expect(setOf("203.0.113.7").has(ip("::ffff:203.0.113.7"))).toBe(true);
    expect(setOf("::ffff:203.0.113.7").has(ip("203.0.113.7"))).toBe(true);
    expect(setOf("::ffff:203.0.113.0/120").has(ip("203.0.113.99"))).toBe(true);
    expect(setOf("::ffff:203.0.113.0/120").has(ip("203.0.114.1"))).toBe(false);
  });

  test("a range may cover everything, and bits behind a prefix do not matter", () => {
    expect(setOf("0.0.0.0/0").has(ip("255.255.255.255"))).toBe(true);
    expect(setOf("0.0.0.0/0").has(ip("::1"))).toBe(false);
    expect(setOf("::/0").has(ip("ffff::"))).toBe(true);
    expect(setOf("10.1.2.3/8").has(ip("10.200.0.1"))).toBe(true);
  });

  test.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "host", "", "10.0.0.0/8/8"])(
    "%j is refused by name",
    (entry) => {
      expect(compileAddressSet(["10.0.0.1", entry])).toEqual({ ok: false, invalid: entry });
    },
  );

  test("agrees with net.BlockList on any lists", () => {
    const near4 = fc.nat(255).map((n) => `10.0.${n >> 6}.${n}`);
    const hextets = ["0", "1", "7fff", "8000", "ffff"];
    const near6 = fc
      .tuple(fc.nat(255), ...Array.from({ length: 3 }, () => fc.constantFrom(...hextets)))
      .map(([n, a, b, c]) => `${a}:db8:${b}::${c}:${(n * 257).toString(16)}`);
    const entry = fc.oneof(
      fc.tuple(near4, fc.integer({ min: 20, max: 32 })),
      fc.tuple(near6, fc.integer({ min: 30, max: 128 })),
    );
    const probe = fc.oneof(near4, near6, fc.ipV4());
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), fc.array(probe), (entries, probes) => {
        const set = setOf(...entries.map(([address, prefix]) => `${address}/${prefix}`));
        const list = new BlockList();
        for (const [address, prefix] of entries) {
          list.addSubnet(address, prefix, isIPv6(address) ? "ipv6" : "ipv4");
        }
        for (const address of probes) {
          const family = isIPv6(address) ? "ipv6" : "ipv4";
          expect(set.has(ip(address)), address).toBe(list.check(address, family));
        }
      }),
    );
  });
});

describe("login verdict", () => {
  const [since18, since9] = [versionRange("1.8", null), versionRange("1.9", "1.21")];
  if (since18 === undefined || since9 === undefined) throw new Error("not in the table");
  const facts = {
    ip: ip("203.0.113.7"),
    nameValid: true,
    protocol: 47,
    connection: 1,
    bootSeed: 2,
  };
  const open: LoginRules = {
    status: "active",
    blacklist: undefined,
    exclusive: undefined,
    versions: since18,
  };
  const listed = setOf("203.0.113.0/24");
  const other = setOf("198.51.100.1");

  function reason(rules: Partial<LoginRules>, nameValid = true): string {
    const verdict = decideLogin({ ...facts, nameValid }, { ...open, ...rules });
    return verdict.kind === "refuse" ? verdict.reason : verdict.kind;
  }

  test("an active shield lets a well-named player in", () => {
    expect(reason({})).toBe("forward");
    expect(reason({ blacklist: other })).toBe("forward");
  });

  test("the blacklist beats the whitelist", () => {
    expect(reason({ blacklist: listed, exclusive: listed })).toBe("blacklist");
  });

  test("in maintenance mode only the listed join", () => {
    expect(reason({ exclusive: listed })).toBe("forward");
    expect(reason({ exclusive: other })).toBe("whitelist_only");
    expect(reason({ exclusive: setOf() })).toBe("whitelist_only");
  });

  test("an expired or blocked shield refuses everybody", () => {
    expect(reason({ status: "expired", exclusive: listed })).toBe("expired");
    expect(reason({ status: "blocked", blacklist: listed })).toBe("blocked");
  });

  test("an invalid name is refused after the lists", () => {
    expect(reason({}, false)).toBe("invalid_name");
    expect(reason({ blacklist: listed }, false)).toBe("blacklist");
  });

  test("a version outside of the range is refused, after everything else", () => {
    const rules = { versions: since9 };
    expect(reason(rules)).toBe("invalid_version");
    expect(reason(rules, false)).toBe("invalid_name");
    expect(reason({ ...rules, exclusive: other })).toBe("whitelist_only");
    expect(reason({ ...rules, blacklist: listed })).toBe("blacklist");
    expect(reason({ ...rules, status: "expired" })).toBe("expired");
    expect(reason({ ...rules, exclusive: listed })).toBe("invalid_version");
  });

  test.each([
    ["1.6.4, whose number is above that of 1.8", 78, "invalid_version"],
    ["1.7.10", 5, "invalid_version"],
    ["1.8", 47, "forward"],
    ["26.3", 777, "forward"],
    ["a snapshot", 0x40000001, "forward"],
    ["a version after the table", 5_000, "forward"],
    ["a number nobody has", -1, "invalid_version"],
  ])("from 1.8 on: %s", (_name, protocol, expected) => {
    const verdict = decideLogin({ ...facts, protocol }, open);
    expect(verdict.kind === "refuse" ? verdict.reason : verdict.kind).toBe(expected);
  });

  test("trace codes are 8 letters and digits and do not repeat", () => {
    const codes = new Set(Array.from({ length: 50_000 }, (_, n) => traceCode(0xdeadbeef, n)));
    expect(codes.size).toBe(50_000);
    for (const code of codes) if (!/^[0-9A-HJKMNP-TV-Z]{8}$/.test(code)) expect(code).toBe("valid");
  });
});
