import type { ZoneEdges, ZoneRecord } from "@palisade/contract/edge/zone-record";
import { createZoneTable, type ZoneTable } from "#src/zone/zone-table.ts";

/** Data of the tests of zone DNS. */
export const testZone = "gs.localhost";
export const frankfurtLabel = "frankfurt123.gs.localhost";
export const dallasLabel = "dallas123456.gs.localhost";
export const emptyLabel = "nowhere12345.gs.localhost";

export function idOf(n: number): string {
  return `0198f000-0000-7000-8000-${String(n).padStart(12, "0")}`;
}

export function shieldOf(n: number, label: string, location: string, revision = 1): ZoneRecord {
  return { schema: 1, shield_id: idOf(n), revision, label, location };
}

/** The n-th of names as the control plane makes them: 12 base32 characters below the zone. */
export function labelOf(n: number): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  const digits = Array.from({ length: 12 }, (_, at) => alphabet[(n >> (at * 5)) & 31]);
  return `${digits.join("")}.${testZone}`;
}

interface EdgeFacts {
  readonly location: string;
  readonly addresses: string[];
  readonly healthy?: boolean;
  readonly drained?: boolean;
}

export function edgesOf(...edges: EdgeFacts[]): ZoneEdges {
  return {
    zone: testZone,
    ttl_seconds: 30,
    edges: edges.map((edge, n) => ({
      id: idOf(900 + n),
      healthy: edge.healthy ?? true,
      drained: edge.drained ?? false,
      location: edge.location,
      addresses: edge.addresses,
    })),
  };
}

export const standardEdges = edgesOf(
  { location: "frankfurt", addresses: ["203.0.113.1", "2001:db8::1"] },
  { location: "frankfurt", addresses: ["203.0.113.2"] },
  { location: "frankfurt", addresses: ["203.0.113.3"], healthy: false },
  { location: "frankfurt", addresses: ["203.0.113.4"], drained: true },
  { location: "dallas", addresses: ["198.51.100.1"], healthy: false },
  { location: "dallas", addresses: ["198.51.100.2"], drained: true },
);

export function createFilledTable(): ZoneTable {
  const table = createZoneTable(testZone, 1);
  table.setEdges(standardEdges);
  table.setShield(shieldOf(1, frankfurtLabel, "frankfurt"));
  table.setShield(shieldOf(2, dallasLabel, "dallas"));
  table.setShield(shieldOf(3, emptyLabel, "nowhere"));
  return table;
}
