import type { Firewall } from "@palisade/contract/http/firewall";
import { describe, expect, test } from "vitest";
import { diffFirewall, withEntries } from "./firewall-diff.ts";

const entry = (id: string, ip: string) => ({
  id,
  ip,
  kind: "address" as const,
  created_at: "2026-03-10T12:00:00Z",
  note: "",
  expires_at: null,
});
const empty: Firewall = {
  ip_blacklist_enabled: true,
  ip_whitelist_enabled: false,
  whitelist_only: false,
  blacklist_ips: [],
  whitelist_ips: [],
  caller: { ip: "192.0.2.9", whitelisted: false },
};

describe("diffFirewall", () => {
  test("equal settings have no difference", () => {
    expect(diffFirewall(empty, structuredClone(empty))).toEqual({ toggles: [], entries: [] });
  });

  test("names the switches with their new state", () => {
    const now = { ...empty, ip_blacklist_enabled: false, whitelist_only: true };
    expect(diffFirewall(empty, now).toggles).toEqual([
      { name: "ip_blacklist_enabled", now: false },
      { name: "whitelist_only", now: true },
    ]);
  });

  test("names added and removed addresses with their list", () => {
    const before = withEntries(empty, "blacklist", [entry("a", "192.0.2.1")]);
    const now = withEntries(empty, "whitelist", [entry("b", "198.51.100.0/24")]);
    expect(diffFirewall(before, now).entries).toEqual([
      { list: "blacklist", ip: "192.0.2.1", added: false },
      { list: "whitelist", ip: "198.51.100.0/24", added: true },
    ]);
  });
});
