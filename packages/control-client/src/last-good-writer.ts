import type { StreamRecord } from "@palisade/contract/edge/stream";
import type { Head, LastGoodStore } from "./last-good-store.ts";
import type { Log } from "./log.ts";

/** Writes under way at once: enough to hide fsync on a snapshot, few enough for a small disk. */
const parallelMax = 16;

export interface LastGoodWriter {
  /** Stores the record; resolves when there is room for more. `stored` runs once it is on disk or has failed. */
  put(record: StreamRecord, stored: () => void): Promise<void>;
  remove(shieldId: string): Promise<void>;
  putZone(zone: unknown): Promise<void>;
  /** Waits for all writes, then advances the version on disk if none of them is missing. */
  commit(head: Head): Promise<void>;
}

/**
 * Keeps the copy on disk abreast of what is in service. A full or failing disk is logged and
 * never stops the service: the version on disk then stays behind, and what is missing is
 * written again at the next commit.
 */
export function createLastGoodWriter(store: LastGoodStore, log: Log): LastGoodWriter {
  const underWay = new Map<string, Promise<void>>();
  /** What the disk still lacks, by shield (or zone). */
  const missing = new Map<string, () => Promise<void>>();

  async function attempt(key: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
      if (missing.delete(key) && missing.size === 0) log.info({}, "last good copy is whole again");
    } catch (cause) {
      if (missing.size === 0) log.error({ err: cause }, "last good copy cannot be written");
      missing.set(key, write);
    }
  }

  /** One write per key at a time, in order. Never rejects. */
  function enqueue(key: string, write: () => Promise<void>): Promise<void> {
    const before = underWay.get(key) ?? Promise.resolve();
    const done: Promise<void> = before
      .then(() => attempt(key, write))
      .finally(() => {
        if (underWay.get(key) === done) underWay.delete(key);
      });
    underWay.set(key, done);
    return done;
  }

  return {
    async put(record, stored) {
      while (underWay.size >= parallelMax) await Promise.race(underWay.values());
      void enqueue(record.shield_id, () => store.put(record)).then(stored);
    },
    remove: (shieldId) => enqueue(shieldId, () => store.remove(shieldId)),
    putZone: (zone) => enqueue("zone", () => store.putZone(zone)),
    async commit(head) {
      await Promise.all(underWay.values());
      for (const [key, write] of missing) await attempt(key, write);
      if (missing.size > 0) return;
      try {
        await store.commit(head);
      } catch (cause) {
        log.error({ err: cause }, "version of the last good copy cannot be written");
      }
    },
  };
}
