import type { Log } from "@palisade/control-client/log";
import { openPublishedLabels, type PublishedLabels } from "#src/export/published-labels.ts";
import type { UpdateClient } from "#src/export/update-client.ts";
import type { UpdateOutcome } from "#src/export/update-outcome.ts";
import { fingerprintOf, desiredLabels, desiredRecords } from "#src/export/desired-records.ts";
import { updateBytesOf, type NameChange } from "#src/wire/update-message.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

/** Names in one update, which is also what the server processes at a time. */
const namesPerUpdateMax = 100;
const updateBytesMax = 14 * 1024;

export interface ZoneReconcilerDeps {
  readonly table: ZoneTable;
  readonly isComplete: () => boolean;
  readonly folder: string;
  readonly client: UpdateClient;
  /** `address:port`; published labels are recorded for this server. */
  readonly server: string;
  readonly log: Log;
}

export type ReconcileOutcome =
  | { readonly kind: "done"; readonly updated: number; readonly removed: number }
  | Exclude<UpdateOutcome, { kind: "done" }>;

export interface ZoneReconciler {
  /** Sends the differences, up to the first update that fails. Never throws. */
  reconcile(): Promise<ReconcileOutcome>;
  /** Makes the next run send everything. */
  resendAll(): void;
}

/** Compares the desired records with those that the server has confirmed, and sends the difference. */
export function createZoneReconciler(deps: ZoneReconcilerDeps): ZoneReconciler {
  const { table, client, log } = deps;
  let zone = "";
  let published: PublishedLabels | null = null;
  /** Records that the server has confirmed, by label. */
  const confirmed = new Map<string, string>();
  /** Whether everything was as desired after the last run. */
  let isSettled = false;
  let hasWriteFailed = false;

  async function enterZone(): Promise<PublishedLabels> {
    if (published !== null && zone === table.zone) return published;
    zone = table.zone;
    confirmed.clear();
    published = await openPublishedLabels(deps.folder, deps.server, zone);
    return published;
  }

  /** Logs a failed write and continues: a full disk must not keep new shields out of DNS. */
  async function write(writing: Promise<void>): Promise<void> {
    try {
      await writing;
      hasWriteFailed = false;
    } catch (error) {
      if (!hasWriteFailed)
        log.error({ err: error }, "the list of exported labels cannot be written");
      hasWriteFailed = true;
    }
  }

  function isDiffering(label: string, published: PublishedLabels): boolean {
    const change = desiredRecords(table, label);
    if (isEmpty(change)) return confirmed.has(label) || published.labels.has(label);
    return confirmed.get(label) !== fingerprintOf(change);
  }

  async function sendAll(labels: readonly string[], counts: Counts): Promise<UpdateOutcome> {
    for (let at = 0; at < labels.length;) {
      // Names of another zone wait for the next run.
      if (table.zone !== zone) break;
      const batch = nextBatch(table, labels, at);
      // Until it answers, the state of the server is unknown.
      for (const label of batch.keys()) confirmed.delete(label);
      const outcome = await client.update(zone, [...batch.values()]);
      if (outcome.kind !== "done") return outcome;
      for (const [label, change] of batch) {
        if (isEmpty(change)) counts.removed.push(label);
        else {
          confirmed.set(label, fingerprintOf(change));
          counts.updated += 1;
        }
      }
      at += batch.size;
    }
    return { kind: "done" };
  }

  return {
    async reconcile() {
      const counts: Counts = { updated: 0, removed: [] };
      if (!table.isLoaded) return { kind: "done", updated: 0, removed: 0 };
      const list = await enterZone();
      const wanted = new Set<string>();
      const differing: string[] = [];
      for await (const label of desiredLabels(table)) {
        wanted.add(label);
        if (isDiffering(label, list)) differing.push(label);
      }
      // The zone changed in between, so the comparison is void; the next run follows at once.
      if (table.zone !== zone) return { kind: "done", updated: 0, removed: 0 };
      const gone = deps.isComplete() ? [...list.labels].filter((label) => !wanted.has(label)) : [];
      if (differing.length + gone.length > 0) await write(list.add(differing));
      const outcome = await sendAll([...differing, ...gone], counts);
      await write(list.remove(counts.removed));
      if (outcome.kind === "done") {
        isSettled = true;
        return { kind: "done", updated: counts.updated, removed: counts.removed.length };
      }
      // A server that was away may come back with older data, so everything is sent again. Only
      // after a complete run: otherwise runs that are interrupted again and again would never end.
      if (outcome.kind === "unreachable" && isSettled) confirmed.clear();
      isSettled = false;
      return outcome;
    },
    resendAll: () => confirmed.clear(),
  };
}

interface Counts {
  updated: number;
  readonly removed: string[];
}

/** As many labels as one update may carry, with their records desired at this moment. */
function nextBatch(
  table: ZoneTable,
  labels: readonly string[],
  from: number,
): Map<string, NameChange> {
  const batch = new Map<string, NameChange>();
  let bytes = 0;
  for (const label of labels.slice(from, from + namesPerUpdateMax)) {
    const change = desiredRecords(table, label);
    bytes += updateBytesOf(change);
    if (batch.size > 0 && bytes > updateBytesMax) break;
    batch.set(label, change);
  }
  return batch;
}

function isEmpty({ v4, v6 }: NameChange): boolean {
  return v4.length === 0 && v6.length === 0;
}
