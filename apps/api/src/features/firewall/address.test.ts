import { isAddressOrRange } from "@palisade/contract/http/firewall";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeAddress } from "./address.ts";

describe("normalizeAddress", () => {
  test.each([
    ["1.2.3.4", "1.2.3.4"],
    ["1.2.3.4/32", "1.2.3.4"],
    [" 1.2.3.4 ", "1.2.3.4"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["2001:db8::ff/64", "2001:db8::/64"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:102:304/128", "1.2.3.4"],
    ["::ffff:1.2.3.4/120", "1.2.3.0/24"],
  ])("%s becomes %s", (typed, expected) => {
    expect(normalizeAddress(typed)).toBe(expected);
  });

  test.each(["", "1.2.3", "1.2.3.4/33", "::/129", "host.example", "1.2.3.4/", "/8"])(
    "%j is no address",
    (typed) => {
      expect(normalizeAddress(typed)).toBeNull();
    },
  );

  test("an address that the contract lets through is normalised, and normalising twice changes nothing", () => {
    const range = fc
      .oneof(
        fc.tuple(fc.ipV4(), fc.option(fc.integer({ min: 0, max: 32 }))),
        fc.tuple(fc.ipV6(), fc.option(fc.integer({ min: 0, max: 128 }))),
      )
      .map(([address, prefix]) => (prefix === null ? address : `${address}/${prefix}`))
      .filter(isAddressOrRange);
    fc.assert(
      fc.property(range, (typed) => {
        const once = normalizeAddress(typed);
        expect(once).not.toBeNull();
        expect(isAddressOrRange(once ?? "")).toBe(true);
        expect(normalizeAddress(once ?? "")).toBe(once);
      }),
    );
  });
});
