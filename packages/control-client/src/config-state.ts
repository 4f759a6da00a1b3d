import type { Ack } from "@palisade/contract/edge/edge-routes";
import { shieldConfigBytesMax } from "@palisade/contract/edge/shield-config";
import type { StreamLine, StreamRecord } from "@palisade/contract/edge/stream";
import type { ConfigConsumer } from "./config-consumer.ts";
import { checksumOf } from "./last-good-file.ts";
import type { LastGood, Origin } from "./last-good-store.ts";
import type { LastGoodWriter } from "./last-good-writer.ts";
import type { Log } from "./log.ts";
import type { ParsedLine } from "./stream-line-parser.ts";

export interface ConfigStateDeps<T, Z> {
  readonly consumer: ConfigConsumer<T, Z>;
  readonly writer: LastGoodWriter;
  readonly acknowledge: (ack: Ack) => void;
  readonly log: Log;
}

/** After `reconnect` the connection is of no more use. */
export type StreamStep = "continue" | "reconnect";

export interface ConfigState {
  /** Puts one record of the copy on disk into service. */
  restoreRecord(record: StreamRecord): void;
  /** All of them are; takes over what else is there. */
  restored(lastGood: Omit<LastGood, "records">): void;
  receive(line: ParsedLine): Promise<StreamStep>;
  /** What the next connection builds on; 0 asks for a snapshot. */
  since(): number;
  /** Where that is from; null where it is not known. */
  origin(): Origin | null;
  /** A connection begins, as this node. */
  connected(edgeId: string): void;
  /** A connection has ended: a snapshot under way is void. */
  disconnected(): void;
  stats(): { readonly version: number; readonly shields: number; readonly refused: number };
}

interface Snapshot {
  readonly version: number;
  readonly origin: Origin | null;
  readonly named: Set<string>;
  lines: number;
  skipped: number;
}

/**
 * What this node runs, and how the lines of the stream change it. Every record stands by
 * itself: one that is refused leaves its shield as it was and all others served.
 */
export function createConfigState<T, Z>(deps: ConfigStateDeps<T, Z>): ConfigState {
  const { consumer, writer, acknowledge, log } = deps;
  /** In service, with the checksum of the record as it came. */
  const held = new Map<string, { readonly revision: number; readonly checksum: string }>();
  const refused = new Map<string, number>();
  let version = 0;
  /** Of the copy on disk: refused by this program. */
  let lostRecords = 0;
  let wantsSnapshot = true;
  let snapshot: Snapshot | null = null;
  let origin: Origin | null = null;
  let edgeId = "";

  /** Once it is in service everywhere, unless there is a later word on the shield by then. */
  function acknowledgeApplied(shieldId: string, revision: number): void {
    const tell = (): void => {
      if (held.get(shieldId)?.revision !== revision || refused.has(shieldId)) return;
      acknowledge({ shield_id: shieldId, revision, outcome: "applied" });
    };
    if (consumer.served === undefined) tell();
    else void consumer.served().then(tell);
  }

  function refuse(shieldId: string, revision: number, reason: string): void {
    refused.set(shieldId, revision);
    log.warn({ shield_id: shieldId, revision, reason }, "configuration refused, last good kept");
    acknowledge({
      shield_id: shieldId,
      revision,
      outcome: "rejected",
      reason: reason.slice(0, 500),
    });
  }

  /** Returns the record's checksum once it is in service, else null. */
  function serve(record: StreamRecord, text: string): string | null {
    const { shield_id: shieldId, revision } = record;
    try {
      if (Buffer.byteLength(text) > shieldConfigBytesMax) {
        throw new Error(`configuration exceeds ${shieldConfigBytesMax} bytes`);
      }
      consumer.apply(consumer.parse(record));
    } catch (error) {
      refuse(shieldId, revision, error instanceof Error ? error.message : String(error));
      return null;
    }
    const checksum = checksumOf(text);
    held.set(shieldId, { revision, checksum });
    refused.delete(shieldId);
    return checksum;
  }

  async function take(record: StreamRecord, authoritative: boolean): Promise<void> {
    const { shield_id: shieldId, revision } = record;
    const text = JSON.stringify(record.config) ?? "";
    const current = held.get(shieldId);
    if (current?.revision === revision && current.checksum === checksumOf(text)) {
      refused.delete(shieldId);
      acknowledgeApplied(shieldId, revision);
      return;
    }
    // A snapshot is the truth even where it goes back, as after a restored database.
    if (!authoritative && current !== undefined && revision < current.revision) return;
    if (serve(record, text) === null) return;
    await writer.put(record, () => acknowledgeApplied(shieldId, revision));
  }

  async function drop(shieldId: string): Promise<void> {
    held.delete(shieldId);
    refused.delete(shieldId);
    consumer.remove(shieldId);
    await writer.remove(shieldId);
  }

  async function commit(reached: number): Promise<void> {
    version = reached;
    await writer.commit({
      version: reached,
      shields: held.size,
      refused: refused.size,
      ...(origin === null ? {} : { origin }),
    });
  }

  async function endSnapshot(ended: Snapshot, count: number): Promise<StreamStep> {
    snapshot = null;
    if (count !== ended.lines) {
      log.warn({ count, lines: ended.lines }, "snapshot is not complete");
      return "reconnect";
    }
    // A line that could not be read may have named any shield: keep them all.
    if (ended.skipped === 0) {
      for (const shieldId of [...held.keys(), ...refused.keys()]) {
        if (!ended.named.has(shieldId)) await drop(shieldId);
      }
    }
    wantsSnapshot = false;
    origin = ended.origin;
    await commit(ended.version);
    log.info({ version, shields: held.size, refused: refused.size }, "snapshot applied");
    return "continue";
  }

  async function takeDelta(delta: Extract<StreamLine, { kind: "delta" }>): Promise<StreamStep> {
    if (snapshot !== null) return broken("delta inside a snapshot");
    if (delta.since !== version) {
      log.warn({ since: delta.since, version }, "delta builds on another version");
      return "reconnect";
    }
    for (const record of delta.shields) await take(record, false);
    for (const shieldId of delta.removed) await drop(shieldId);
    await commit(delta.version);
    return "continue";
  }

  function broken(reason: string): StreamStep {
    log.warn({ reason, version }, "configuration stream is out of step; asking for a snapshot");
    wantsSnapshot = true;
    return "reconnect";
  }

  function serveZone(zone: unknown): boolean {
    if (consumer.zone === undefined) return false;
    try {
      consumer.zone.apply(consumer.zone.parse(zone));
      return true;
    } catch (error) {
      log.warn({ err: error }, "zone refused, last good kept");
      return false;
    }
  }

  return {
    restoreRecord(record) {
      // The acknowledgement may have been lost with the process that applied it.
      const { shield_id, revision } = record;
      if (serve(record, JSON.stringify(record.config) ?? "") === null) lostRecords += 1;
      else acknowledgeApplied(shield_id, revision);
    },

    restored(lastGood) {
      let lost = lastGood.damaged.length + lostRecords;
      if (lastGood.zone !== null && !serveZone(lastGood.zone)) lost += 1;
      refused.clear();
      version = lost === 0 ? lastGood.version : 0;
      wantsSnapshot = version === 0;
      origin = lastGood.origin;
      log.info({ version, shields: held.size, lost }, "last good configuration loaded");
    },

    async receive(line) {
      switch (line.kind) {
        case "snapshot_start":
          snapshot = {
            version: line.version,
            origin: line.epoch === undefined ? null : { edge_id: edgeId, epoch: line.epoch },
            named: new Set(),
            lines: 0,
            skipped: 0,
          };
          break;
        case "shield":
          if (snapshot === null) return broken("shield outside a snapshot");
          snapshot.named.add(line.record.shield_id);
          snapshot.lines += 1;
          await take(line.record, true);
          break;
        case "skipped":
          if (line.shield) refuse(line.shield.shield_id, line.shield.revision, line.reason);
          if (snapshot === null) return broken(line.reason);
          snapshot.lines += 1;
          snapshot.skipped += 1;
          break;
        case "snapshot_end":
          if (snapshot === null) return broken("end of a snapshot that did not begin");
          return endSnapshot(snapshot, line.count);
        case "delta":
          return takeDelta(line);
        case "zone":
          if (serveZone(line.zone)) await writer.putZone(line.zone);
          break;
        case "broken":
          return broken(line.reason);
        case "heartbeat":
        case "probe":
        case "fleet":
        case "unknown":
          break;
      }
      return "continue";
    },

    since: () => (wantsSnapshot ? 0 : version),
    origin: () => origin,
    connected(id) {
      edgeId = id;
    },
    disconnected() {
      snapshot = null;
    },
    stats: () => ({ version, shields: held.size, refused: refused.size }),
  };
}
