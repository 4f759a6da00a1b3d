import { isIPv4 } from "node:net";
import type { ZoneEdges, ZoneRecord } from "@palisade/contract/edge/zone-record";

export interface Addresses {
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

export type Lookup =
  /** Outside of our zone. */
  | { readonly kind: "outside" }
  /** In our zone, but the control plane has not named the edges yet. */
  | { readonly kind: "not_loaded" }
  | { readonly kind: "apex" }
  | { readonly kind: "name_server" }
  | { readonly kind: "label"; readonly addresses: Addresses }
  | { readonly kind: "nothing" };

export interface ZoneTable {
  setShield(record: ZoneRecord): void;
  removeShield(shieldId: string): void;
  setEdges(edges: ZoneEdges): void;
  /** Finds a name, in any case and without a trailing dot. */
  lookup(name: string): Lookup;
  readonly labelCount: number;
  /** Full names of all shields' labels, lower case. */
  labels(): Iterable<string>;
  /** Calls the listener after every change; it must not wait or throw. */
  onChange(listener: () => void): void;
  /** Whether the control plane has named the edges. */
  readonly isLoaded: boolean;
  readonly zone: string;
  readonly ttlSeconds: number;
  /** Grows with every change; the SOA's serial. */
  readonly serial: number;
}

const noAddresses: Addresses = { v4: [], v6: [] };
const initialTtlSeconds = 30;

/**
 * The data from which zone DNS answers.
 *
 * A location without a healthy edge is answered with its undrained edges: health reports that are wrong
 * for all edges must not take every shield of the location offline.
 *
 * @param initialZone zone until the control plane has named one
 * @param initialSerial first serial; higher than all of earlier starts
 */
export function createZoneTable(initialZone: string, initialSerial: number): ZoneTable {
  let zone = initialZone.toLowerCase();
  let ttlSeconds = initialTtlSeconds;
  let serial = initialSerial;
  let edgesKnown = false;
  const shields = new Map<string, ZoneRecord>();
  const byLabel = new Map<string, ZoneRecord>();
  let byLocation = new Map<string, Addresses>();
  const listeners: (() => void)[] = [];

  function changed(): void {
    serial += 1;
    for (const listener of listeners) listener();
  }

  function forget(shieldId: string): void {
    const before = shields.get(shieldId);
    if (before === undefined) return;
    shields.delete(shieldId);
    // Labels are never reissued, but if two shields had one, removing the first must not remove it.
    for (const label of labelsOf(before)) {
      if (byLabel.get(label)?.shield_id === shieldId) byLabel.delete(label);
    }
  }

  return {
    setShield(record) {
      forget(record.shield_id);
      shields.set(record.shield_id, record);
      for (const label of labelsOf(record)) byLabel.set(label, record);
      changed();
    },
    removeShield(shieldId) {
      forget(shieldId);
      changed();
    },
    setEdges(edges) {
      zone = edges.zone.toLowerCase();
      ttlSeconds = edges.ttl_seconds;
      byLocation = addressesByLocation(edges);
      edgesKnown = true;
      changed();
    },
    lookup(name) {
      const wanted = name.toLowerCase();
      if (wanted !== zone && !wanted.endsWith(`.${zone}`)) return { kind: "outside" };
      if (wanted === zone) return { kind: "apex" };
      if (wanted === `ns1.${zone}`) return { kind: "name_server" };
      if (!edgesKnown) return { kind: "not_loaded" };
      const record = byLabel.get(wanted);
      if (record === undefined) return { kind: "nothing" };
      return { kind: "label", addresses: byLocation.get(record.location) ?? noAddresses };
    },
    get labelCount() {
      return byLabel.size;
    },
    labels: () => byLabel.keys(),
    onChange(listener) {
      listeners.push(listener);
    },
    get isLoaded() {
      return edgesKnown;
    },
    get zone() {
      return zone;
    },
    get ttlSeconds() {
      return ttlSeconds;
    },
    get serial() {
      return serial;
    },
  };
}

/** In lower case. */
function labelsOf({ label, try_label: tried }: ZoneRecord): string[] {
  return [label, ...(tried === undefined ? [] : [tried])].map((name) => name.toLowerCase());
}

function addressesByLocation({ edges }: ZoneEdges): Map<string, Addresses> {
  const found = new Map<string, Addresses>();
  for (const location of new Set(edges.map((edge) => edge.location))) {
    const undrained = edges.filter((edge) => edge.location === location && !edge.drained);
    const healthy = undrained.filter((edge) => edge.healthy);
    const all = (healthy.length > 0 ? healthy : undrained).flatMap((edge) => edge.addresses);
    const unique = [...new Set(all)];
    found.set(location, {
      v4: unique.filter((address) => isIPv4(address)),
      v6: unique.filter((address) => !isIPv4(address)),
    });
  }
  return found;
}
