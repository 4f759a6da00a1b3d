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

/** After `reconnect` the connection has to be closed. */
export type StreamStep = "continue" | "reconnect";

export interface ConfigState {
  /** Applies one record of the copy on disk. */
  restoreRecord(record: StreamRecord): void;
  /** Call it after all records: takes over version, origin and zone of the copy. */
  restored(lastGood: Omit<LastGood, "records">): void;
  receive(line: ParsedLine): Promise<StreamStep>;
  /** The version for the next connection to continue from; 0 asks for a snapshot. */
  since(): number;
  /** The origin of that version; null when it is not known. */
  origin(): Origin | null;
  /** A connection begins with this credential's id. */
  connected(edgeId: string): void;
  /** The connection has ended: a snapshot under way is discarded. */
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
 * Holds the configuration that serves and applies the lines of the stream to it. Every record is
 * independent: a refused one leaves its own shield unchanged and does not affect the others.
 */
export function createConfigState<T, Z>(deps: ConfigStateDeps<T, Z>): ConfigState {
  const { consumer, writer, acknowledge, log } = deps;
  /** The configurations that serve, with the checksum of each record as received. */
  const held = new Map<string, { readonly revision: number; readonly checksum: string }>();
  const refused = new Map<string, number>();
  let version = 0;
  /** Records of the copy on disk that this program refused. */
  let lostRecords = 0;
  let wantsSnapshot = true;
  let snapshot: Snapshot | null = null;
  let origin: Origin | null = null;
  let edgeId = "";

  /** Acknowledges when the revision serves everywhere, unless a later one was applied or refused since. */
  function acknowledgeApplied(shieldId: string, revision: number): void {
    const send = (): void => {
      if (held.get(shieldId)?.revision !== revision || refused.has(shieldId)) return;
      acknowledge({ shield_id: shieldId, revision, outcome: "applied" });
    };
    if (consumer.served === undefined) send();
    else void consumer.served().then(send);
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

  /** Applies the record. @returns its checksum, or null when it is refused */
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
    // A snapshot counts even when its revision is lower, as after a database was restored.
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
      log.warn({ count, lines: ended.lines }, "the snapshot is incomplete");
      return "reconnect";
    }
    // An unreadable line may have named any shield: keep all of them.
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
      log.warn({ since: delta.since, version }, "the delta builds on another version");
      return "reconnect";
    }
    for (const record of delta.shields) await take(record, false);
    for (const shieldId of delta.removed) await drop(shieldId);
    await commit(delta.version);
    return "continue";
  }

  function broken(reason: string): StreamStep {
    log.warn(
      { reason, version },
      "the configuration stream is out of order; asking for a snapshot",
    );
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
      // The process that applied it may have ended before it acknowledged.
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
