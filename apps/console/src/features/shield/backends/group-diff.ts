import type { BackendGroup } from "@palisade/contract/http/backends";
import { formatBackendAddress } from "#src/lib/backend-address.ts";

/** Fields that the group dialog edits. */
export const groupFields = [
  "name",
  "game",
  "region",
  "load_balancing",
  "proxy_protocol",
  "default",
] as const;
export type GroupField = (typeof groupFields)[number];
export type GroupValues = Pick<BackendGroup, GroupField>;

export interface GroupDiff {
  readonly fields: readonly GroupField[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function valuesOf(group: BackendGroup): GroupValues {
  const { name, game, region, load_balancing, proxy_protocol } = group;
  return { name, game, region, load_balancing, proxy_protocol, default: group.default };
}

/** The fields that differ: only these are sent, so that other users' changes stay. */
export function changedValues(before: GroupValues, typed: GroupValues): Partial<GroupValues> {
  const changed = groupFields.filter((name) => before[name] !== typed[name]);
  return Object.fromEntries(changed.map((name) => [name, typed[name]]));
}

/** Changes that other users made to a group between two reads. */
export function diffGroup(before: BackendGroup, now: BackendGroup): GroupDiff {
  const had = new Set(before.ips.map(formatBackendAddress));
  const has = new Set(now.ips.map(formatBackendAddress));
  return {
    fields: groupFields.filter((name) => before[name] !== now[name]),
    added: [...has].filter((address) => !had.has(address)),
    removed: [...had].filter((address) => !has.has(address)),
  };
}
