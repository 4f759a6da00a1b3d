import { describe, expect, test } from "vitest";
import { addFirewallEntryBody } from "./firewall.ts";

const parse = (ip: unknown) => addFirewallEntryBody.safeParse({ type: "blacklist", ip });

describe("addFirewallEntryBody", () => {
  test.each([
    "1.2.3.4",
    " 1.2.3.4 ",
    "10.0.0.0/8",
    "2001:db8::",
    "2001:db8::/32",
    "::ffff:1.2.3.4",
  ])("%s is taken", (ip) => {
    expect(parse(ip).success).toBe(true);
  });

  test.each([
    ["", "ip.required"],
    [undefined, "ip.required"],
    ["1.2.3", "ip.invalid"],
    ["1.2.3.4/33", "ip.invalid"],
    ["::/129", "ip.invalid"],
    ["example.com", "ip.invalid"],
    ["1".repeat(65), "ip.invalid"],
  ])("%j is refused with %s", (ip, key) => {
    expect(parse(ip).error?.issues[0]?.message).toBe(key);
  });
});
