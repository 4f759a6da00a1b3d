import type { StreamRecord } from "@palisade/contract/edge/stream";
import type { Head, LastGoodStore } from "./last-good-store.ts";
import type { Log } from "./log.ts";

/** Parallel writes: enough to hide fsync during a snapshot, few enough for a small disk. */
const parallelMax = 16;

export interface LastGoodWriter {
  /** Stores the record; resolves when the next one can follow. `stored` runs when the write is done or has failed. */
  put(record: StreamRecord, stored: () => void): Promise<void>;
  remove(shieldId: string): Promise<void>;
  putZone(zone: unknown): Promise<void>;
  /** Waits for all writes, then advances the version on disk if all of them succeeded. */
  commit(head: Head): Promise<void>;
}

/**
 * Writes the configuration that serves to disk. A full or failing disk is logged and never stops the
 * service: the version on disk stays behind, and failed writes are repeated at the next commit.
 */
export function createLastGoodWriter(store: LastGoodStore, log: Log): LastGoodWriter {
  const underWay = new Map<string, Promise<void>>();
  /** Failed writes by shield (or "zone"). */
  const missing = new Map<string, () => Promise<void>>();

  async function attempt(key: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
      if (missing.delete(key) && missing.size === 0)
        log.info({}, "the last good copy is complete again");
    } catch (cause) {
      if (missing.size === 0) log.error({ err: cause }, "the last good copy cannot be written");
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
        log.error({ err: cause }, "the version of the last good copy cannot be written");
      }
    },
  };
}
