import type { Log } from "@palisade/control-client/log";
import { openPublishedLabels, type PublishedLabels } from "#src/export/published-labels.ts";
import type { UpdateClient } from "#src/export/update-client.ts";
import type { UpdateOutcome } from "#src/export/update-outcome.ts";
import { fingerprintOf, wantedLabels, wantedRecords } from "#src/export/wanted-records.ts";
import { updateBytesOf, type NameChange } from "#src/wire/update-message.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

/** Of one update; also what the server works on at a time. */
const namesPerUpdateMax = 100;
const updateBytesMax = 14 * 1024;

export interface ExportPassDeps {
  readonly table: ZoneTable;
  readonly isComplete: () => boolean;
  readonly folder: string;
  readonly client: UpdateClient;
  /** `address:port`, as whose the published labels are noted. */
  readonly server: string;
  readonly log: Log;
}

export type PassOutcome =
  | { readonly kind: "done"; readonly updated: number; readonly removed: number }
  | Exclude<UpdateOutcome, { kind: "done" }>;

export interface ExportPass {
  /** Sends what differs; up to the first update that does not succeed. Never throws. */
  run(): Promise<PassOutcome>;
  /** Lets the next pass send everything. */
  repeatAll(): void;
}

/** Compares what is wanted with what the server has said it did, and sends the difference. */
export function createExportPass(deps: ExportPassDeps): ExportPass {
  const { table, client, log } = deps;
  let zone = "";
  let published: PublishedLabels | null = null;
  /** What the server has by its own word, by label. */
  const done = new Map<string, string>();
  /** Whether the last pass found or made everything as wanted. */
  let isSettled = false;
  let isNoteFailing = false;

  async function enterZone(): Promise<PublishedLabels> {
    if (published !== null && zone === table.zone) return published;
    zone = table.zone;
    done.clear();
    published = await openPublishedLabels(deps.folder, deps.server, zone);
    return published;
  }

  /** A full disk must not take new shields off the network: told, and gone on. */
  async function write(writing: Promise<void>): Promise<void> {
    try {
      await writing;
      isNoteFailing = false;
    } catch (error) {
      const told = isNoteFailing;
      isNoteFailing = true;
      if (!told) log.error({ err: error }, "the note of exported labels cannot be written");
    }
  }

  function isDiffering(label: string, notes: PublishedLabels): boolean {
    const change = wantedRecords(table, label);
    if (isEmpty(change)) return done.has(label) || notes.labels.has(label);
    return done.get(label) !== fingerprintOf(change);
  }

  async function sendAll(labels: readonly string[], counts: Counts): Promise<UpdateOutcome> {
    for (let at = 0; at < labels.length;) {
      // Names of another zone are the next pass's.
      if (table.zone !== zone) break;
      const batch = nextBatch(table, labels, at);
      // Without an answer it is not known what the server has.
      for (const label of batch.keys()) done.delete(label);
      const outcome = await client.update(zone, [...batch.values()]);
      if (outcome.kind !== "done") return outcome;
      for (const [label, change] of batch) {
        if (isEmpty(change)) counts.removed.push(label);
        else {
          done.set(label, fingerprintOf(change));
          counts.updated += 1;
        }
      }
      at += batch.size;
    }
    return { kind: "done" };
  }

  return {
    async run() {
      const counts: Counts = { updated: 0, removed: [] };
      if (!table.isLoaded) return { kind: "done", updated: 0, removed: 0 };
      const notes = await enterZone();
      const wanted = new Set<string>();
      const differing: string[] = [];
      for await (const label of wantedLabels(table)) {
        wanted.add(label);
        if (isDiffering(label, notes)) differing.push(label);
      }
      // Compared with two zones, the labels say nothing; the next pass comes at once.
      if (table.zone !== zone) return { kind: "done", updated: 0, removed: 0 };
      const gone = deps.isComplete() ? [...notes.labels].filter((label) => !wanted.has(label)) : [];
      if (differing.length + gone.length > 0) await write(notes.note(differing));
      const outcome = await sendAll([...differing, ...gone], counts);
      await write(notes.forget(counts.removed));
      if (outcome.kind === "done") {
        isSettled = true;
        return { kind: "done", updated: counts.updated, removed: counts.removed.length };
      }
      // Whoever was away may have come back as an older self. Not from within a pass: one that
      // is cut short again and again must come to its end some time.
      if (outcome.kind === "unreachable" && isSettled) done.clear();
      isSettled = false;
      return outcome;
    },
    repeatAll: () => done.clear(),
  };
}

interface Counts {
  updated: number;
  readonly removed: string[];
}

/** As much as one update may carry, as it is wanted at this moment. */
function nextBatch(
  table: ZoneTable,
  labels: readonly string[],
  from: number,
): Map<string, NameChange> {
  const batch = new Map<string, NameChange>();
  let bytes = 0;
  for (const label of labels.slice(from, from + namesPerUpdateMax)) {
    const change = wantedRecords(table, label);
    bytes += updateBytesOf(change);
    if (batch.size > 0 && bytes > updateBytesMax) break;
    batch.set(label, change);
  }
  return batch;
}

function isEmpty({ v4, v6 }: NameChange): boolean {
  return v4.length === 0 && v6.length === 0;
}
