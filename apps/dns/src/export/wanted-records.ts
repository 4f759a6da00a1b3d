import { setImmediate } from "node:timers/promises";
import { isEncodableZone, ownedLabelOf } from "#src/export/owned-label.ts";
import type { NameChange } from "#src/wire/update-message.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

/** Addresses of one family on a name, as many as our own server puts into an answer. */
const addressesPerNameMax = 16;

/** Names looked at between two answers to whoever asks this server. */
const namesPerTurn = 1_000;

/**
 * The labels that are to be in the external zone; none where its name is not one for the wire.
 * Lets others have their turn in between: of many labels, what it gives may be of several moments.
 */
export async function* wantedLabels(table: ZoneTable): AsyncGenerator<string> {
  if (!isEncodableZone(table.zone)) return;
  let looked = 0;
  for (const name of table.labels()) {
    const label = ownedLabelOf(name, table.zone);
    if (label !== null) yield label;
    looked += 1;
    if (looked % namesPerTurn === 0) await setImmediate();
  }
}

/** What the label's name is to have just now; nothing where there is no such label. Pure. */
export function wantedRecords(table: ZoneTable, label: string): NameChange {
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

/** Names equal changes alike. */
export function fingerprintOf({ ttlSeconds, v4, v6 }: NameChange): string {
  return [ttlSeconds, ...v4, ...v6].join(" ");
}

/** Always the same order, whatever order the edges came in; of too many, each label has others. */
function chosen(addresses: readonly string[], label: string): string[] {
  const sorted = addresses.toSorted();
  if (sorted.length <= addressesPerNameMax) return sorted;
  const start = Number.parseInt(label.slice(0, 5), 32) % sorted.length;
  return [...sorted.slice(start), ...sorted.slice(0, start)].slice(0, addressesPerNameMax);
}
