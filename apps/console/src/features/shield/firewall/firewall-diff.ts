import type { Firewall, updateFirewallBody } from "@palisade/contract/http/firewall";
import type { z } from "zod";

export type ToggleName = keyof z.input<typeof updateFirewallBody>;
export type ListType = "blacklist" | "whitelist";

export const toggleNames = [
  "ip_blacklist_enabled",
  "ip_whitelist_enabled",
  "whitelist_only",
] as const satisfies readonly ToggleName[];

export interface FirewallDiff {
  readonly toggles: { readonly name: ToggleName; readonly now: boolean }[];
  readonly entries: { readonly list: ListType; readonly ip: string; readonly added: boolean }[];
}

/** Changes that other users made since the firewall was read. */
export function diffFirewall(before: Firewall, now: Firewall): FirewallDiff {
  return {
    toggles: toggleNames
      .filter((name) => before[name] !== now[name])
      .map((name) => ({ name, now: now[name] })),
    entries: (["blacklist", "whitelist"] as const).flatMap((list) => {
      const old = entriesOf(before, list);
      const current = entriesOf(now, list);
      const oldIds = new Set(old.map(({ id }) => id));
      const currentIds = new Set(current.map(({ id }) => id));
      return [
        ...current.flatMap(({ id, ip }) => (oldIds.has(id) ? [] : [{ list, ip, added: true }])),
        ...old
          .filter(({ id }) => !currentIds.has(id))
          .map(({ ip }) => ({ list, ip, added: false })),
      ];
    }),
  };
}

export function entriesOf(firewall: Firewall, list: ListType): Firewall["blacklist_ips"] {
  return list === "blacklist" ? firewall.blacklist_ips : firewall.whitelist_ips;
}

/** The firewall with one list replaced. */
export function withEntries(
  firewall: Firewall,
  list: ListType,
  entries: Firewall["blacklist_ips"],
): Firewall {
  return list === "blacklist"
    ? { ...firewall, blacklist_ips: entries }
    : { ...firewall, whitelist_ips: entries };
}
