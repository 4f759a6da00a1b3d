import type { FirewallEntry, FirewallSwitches } from "@palisade/contract/http/firewall";
import { etagOf } from "#src/platform/http/etag.ts";
import { normalizeAddress } from "./address.ts";
import type { EntryRow, selectSwitches } from "./firewall.repository.ts";

type Switches = Awaited<ReturnType<typeof selectSwitches>>;

export function presentEntry(row: Omit<EntryRow, "list">): FirewallEntry {
  return {
    id: row.id,
    ip: row.value,
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    note: row.note,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

export function presentSwitches(
  switches: Switches,
  caller: FirewallSwitches["caller"],
): FirewallSwitches {
  return {
    ip_blacklist_enabled: switches.blacklist_enabled,
    ip_whitelist_enabled: switches.whitelist_enabled,
    whitelist_only: switches.whitelist_only,
    caller,
  };
}

export function presentLists(entries: readonly EntryRow[]) {
  return {
    blacklist_ips: entries.filter(({ list }) => list === "blacklist").map(presentEntry),
    whitelist_ips: entries.filter(({ list }) => list === "whitelist").map(presentEntry),
  };
}

/**
 * Changes with every switch and entry, and with the address of the caller: the answer says whether
 * it is whitelisted.
 */
export function firewallTag(version: number, ip: string): string {
  const caller = etagOf(["caller", normalizeAddress(ip) ?? ip]).slice(1);
  return `${etagOf(["firewall", version]).slice(0, -1)}.${caller}`;
}

/** A tag without the part about the caller, which no write depends on. */
export function settingsTag(tag: string): string {
  return tag.replaceAll(/\.[\w-]*"/g, '"');
}
