import { BlockList, isIPv6 } from "node:net";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AddressSet, compileAddressSet } from "./address-set.ts";

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
