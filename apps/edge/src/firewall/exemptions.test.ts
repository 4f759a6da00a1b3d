import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { Exemptions } from "./exemptions.ts";

const plain = sampleShield();

function shieldOf(whitelist: readonly string[], change: Partial<ShieldConfig> = {}): ShieldConfig {
  const lists = { ...plain.lists, whitelist: [...whitelist], whitelist_enabled: true };
  return { ...plain, lists, ...change };
}

function exemptionsOf(...shields: readonly ShieldConfig[]): Exemptions {
  const exemptions = new Exemptions([]);
  for (const shield of shields) exemptions.apply(shield);
  return exemptions;
}

describe("exemptions", () => {
  test("cover bans of a trusted address and of the network around it, and no others", () => {
    const exemptions = exemptionsOf(
      shieldOf(["203.0.113.7", "198.51.0.0/20", "2001:db8:1:2:3::4", "2001:db8:9::/48"]),
    );
    for (const ban of [
      "203.0.113.7/32",
      "203.0.113.0/24",
      "198.51.15.255/32",
      "198.51.15.0/24",
      "2001:db8:1:2::/64",
      "2001:db8:1::/48",
      "2001:db8:9:ffff::/64",
      "2001:db8:9::/48",
    ]) {
      expect(exemptions.covers(ban), ban).toBe(true);
    }
    for (const ban of [
      "203.0.113.0/32",
      "203.0.112.0/24",
      "198.51.16.0/24",
      "2001:db8:1:3::/64",
      "2001:db8:1:0::/64",
      "2001:db8:a::/48",
      "no network",
    ]) {
      expect(exemptions.covers(ban), ban).toBe(false);
    }
  });

  test("an address that several shields trust stays exempt until none of them does", () => {
    const [one, other] = ["1", "2"].map((end) => plain.shield_id.slice(0, -1) + end);
    const exemptions = exemptionsOf(
      shieldOf(["203.0.113.7"], { shield_id: one ?? "" }),
      shieldOf(["203.0.113.7", "203.0.113.7"], { shield_id: other ?? "" }),
    );
    exemptions.remove(one ?? "");
    expect(exemptions.covers("203.0.113.7/32")).toBe(true);
    exemptions.apply(shieldOf(["203.0.113.8"], { shield_id: other ?? "" }));
    expect(exemptions.covers("203.0.113.7/32")).toBe(false);
    exemptions.remove(other ?? "");
    expect(exemptions.covers("203.0.113.0/24")).toBe(false);
  });

  test("the same list again is no change, nor is one that trusts fewer addresses", () => {
    const exemptions = exemptionsOf(shieldOf(["203.0.113.7", "203.0.113.8"]));
    const changes = exemptions.changes;
    exemptions.apply(shieldOf(["203.0.113.7", "203.0.113.8"], { status: "active" }));
    exemptions.apply(shieldOf(["203.0.113.7"]));
    expect(exemptions.changes).toBe(changes);
    exemptions.apply(shieldOf(["203.0.113.9"]));
    expect(exemptions.changes).toBe(changes + 1);
  });

  test("a shield exempts at most 131,072 addresses and as many IPv6 /64s, the narrowest ranges first", () => {
    const wide = Array.from({ length: 256 }, (_, n) => `198.${n}.0.0/16`);
    const wide6 = Array.from({ length: 256 }, (_, n) => `2001:${n.toString(16)}::/32`);
    const exemptions = exemptionsOf(
      shieldOf(["192.0.0.0/16", ...wide, ...wide6, "203.0.113.7", "2001:db8:1::/48"]),
    );
    const trusted = ["203.0.113.7/32", "192.0.2.9/32", "2001:db8:1:2::/64"];
    for (const ban of trusted) expect(exemptions.covers(ban), ban).toBe(true);
    for (const range of wide) {
      expect(exemptions.covers(range.replace("0.0/16", "1.1/32")), range).toBe(false);
    }
    expect(exemptions.covers("2001:7:0:1::/64")).toBe(false);
    exemptions.apply(shieldOf([...wide, "203.0.113.7"]));
    expect(
      wide.filter((range) => exemptions.covers(range.replace("0.0/16", "1.1/32"))),
    ).toHaveLength(1);
  });

  test("only shields that are served count", () => {
    for (const status of ["expired", "blocked"] as const) {
      const exemptions = exemptionsOf(
        shieldOf(["203.0.113.7"]),
        shieldOf(["203.0.113.7"], { status }),
      );
      expect(exemptions.covers("203.0.113.7/32"), status).toBe(false);
    }
  });

  test("loopback and what the edge itself trusts are covered, however much it is", () => {
    const exemptions = new Exemptions(["10.0.0.0/8", "fd00::/8"]);
    for (const ban of ["127.0.0.1/32", "0:0:0:0::/64", "10.9.9.0/24", "fd12:1:2:3::/64"]) {
      expect(exemptions.covers(ban), ban).toBe(true);
    }
  });
});
