import { describe, expect, test } from "vitest";
import type { Head, LastGoodStore } from "./last-good-store.ts";
import { createLastGoodWriter } from "./last-good-writer.ts";
import { recordOf, shieldId } from "./testing/config-harness.ts";
import { createLogRecorder } from "./testing/recorder.ts";

/** A disk that can be full and counts parallel writes. */
function createDisk() {
  const disk = {
    full: false,
    written: [] as string[],
    heads: [] as Head[],
    atOnce: 0,
    atOnceMax: 0,
  };
  async function write(name: string): Promise<void> {
    disk.atOnce += 1;
    disk.atOnceMax = Math.max(disk.atOnceMax, disk.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    disk.atOnce -= 1;
    if (disk.full) throw new Error("no space left on device");
    disk.written.push(name);
  }
  const store: LastGoodStore = {
    load: () => Promise.reject(new Error("not asked for here")),
    put: (record) => write(`${record.shield_id} ${record.revision}`),
    remove: (id) => write(`${id} removed`),
    putZone: () => write("zone"),
    commit: async (head) => {
      disk.heads.push(head);
    },
  };
  return { disk, store };
}

const head = (version: number): Head => ({ version, shields: 1, refused: 0 });

describe("the copy on disk", () => {
  test("has no version whose records are missing, and repeats failed writes later", async () => {
    const { disk, store } = createDisk();
    const log = createLogRecorder();
    const writer = createLastGoodWriter(store, log);
    disk.full = true;
    let stored = 0;
    for (const revision of [1, 2]) await writer.put(recordOf(1, revision), () => (stored += 1));
    await writer.commit(head(1));
    expect(disk.heads).toEqual([]);
    // The caller does not wait for the failed write.
    expect(stored).toBe(2);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);

    disk.full = false;
    await writer.commit(head(2));
    expect(disk.heads).toEqual([head(2)]);
    expect(disk.written.at(-1)).toBe(`${shieldId(1)} 2`);
  });

  test("is written in order per shield, with a bound on parallel writes", async () => {
    const { disk, store } = createDisk();
    const writer = createLastGoodWriter(store, createLogRecorder());
    for (let n = 1; n <= 100; n += 1) await writer.put(recordOf(n, 1), () => undefined);
    await writer.put(recordOf(1, 2), () => undefined);
    await writer.remove(shieldId(1));
    await writer.commit(head(3));
    expect(disk.written).toHaveLength(102);
    expect(disk.written.filter((line) => line.startsWith(shieldId(1)))).toEqual([
      `${shieldId(1)} 1`,
      `${shieldId(1)} 2`,
      `${shieldId(1)} removed`,
    ]);
    expect(disk.atOnceMax).toBeGreaterThan(1);
    expect(disk.atOnceMax).toBeLessThanOrEqual(16);
  });
});
