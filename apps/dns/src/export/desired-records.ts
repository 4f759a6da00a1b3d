import { setImmediate } from "node:timers/promises";
import { isEncodableZone, ownedLabelOf } from "#src/export/owned-label.ts";
import type { NameChange } from "#src/wire/update-message.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

/** Addresses of one family for a name, as many as our own server puts into an answer. */
const addressesPerNameMax = 16;

/** Names processed before this server answers questions again. */
const namesPerTurn = 1_000;

/**
 * The labels that belong into the external zone; none when the zone's name cannot be encoded. It yields
 * to other work in between, so with many labels the result may mix several moments.
 */
export async function* desiredLabels(table: ZoneTable): AsyncGenerator<string> {
  if (!isEncodableZone(table.zone)) return;
  let looked = 0;
  for (const name of table.labels()) {
    const label = ownedLabelOf(name, table.zone);
    if (label !== null) yield label;
    looked += 1;
    if (looked % namesPerTurn === 0) await setImmediate();
  }
}

/** The records that the label's name should have now; none when there is no such label. Pure. */
export function desiredRecords(table: ZoneTable, label: string): NameChange {
  const name = `${label}.${table.zone}`;
  const found = table.lookup(name);
  const addresses = found.kind === "label" ? found.addresses : { v4: [], v6: [] };
  return {
    name,
    ttlSeconds: table.ttlSeconds,
    v4: chosen(addresses.v4, label),
    v6: chosen(addresses.v6, label),
  };
}

/** Equal for equal records. */
export function fingerprintOf({ ttlSeconds, v4, v6 }: NameChange): string {
  return [ttlSeconds, ...v4, ...v6].join(" ");
}

/** Always in the same order, whatever the order of the edges. If there are too many, labels get different ones. */
function chosen(addresses: readonly string[], label: string): string[] {
  const sorted = addresses.toSorted();
  if (sorted.length <= addressesPerNameMax) return sorted;
  const start = Number.parseInt(label.slice(0, 5), 32) % sorted.length;
  return [...sorted.slice(start), ...sorted.slice(0, start)].slice(0, addressesPerNameMax);
}
