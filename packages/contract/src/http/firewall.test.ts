import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addFirewallEntryBody, isAddressOrRange, isPlayerName } from "./firewall.ts";

const parse = (ip: unknown) => addFirewallEntryBody.safeParse({ type: "blacklist", ip });

describe("addFirewallEntryBody", () => {
  test.each([
    "1.2.3.4",
    " 1.2.3.4 ",
    "10.0.0.0/8",
    "2001:db8::",
    "2001:db8::/32",
    "::ffff:1.2.3.4",
    "Steve",
    "a_1",
    "Q",
    "1234567890123456",
  ])("%s is taken", (ip) => {
    expect(parse(ip).success).toBe(true);
  });

  test.each([
    ["", "entry.required"],
    [undefined, "entry.required"],
    ["1.2.3", "entry.invalid"],
    ["1.2.3.4/33", "entry.invalid"],
    ["::/129", "entry.invalid"],
    ["example.com", "entry.invalid"],
    ["Zoë", "entry.invalid"],
    ["1".repeat(17), "entry.invalid"],
    ["1".repeat(65), "entry.invalid"],
  ])("%j is refused with %s", (ip, key) => {
    expect(parse(ip).error?.issues[0]?.message).toBe(key);
  });
});

test("no address or range is the name of a player", () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6());
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 32 }), (ip, prefix) => {
      for (const entry of [ip, `${ip}/${prefix}`]) {
        expect(isAddressOrRange(entry) && isPlayerName(entry)).toBe(false);
      }
    }),
  );
});
