import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeLastGood, encodeLastGood } from "./last-good-file.ts";
import { createLastGoodStore } from "./last-good-store.ts";
import { createTestFolder } from "./testing/recorder.ts";

const shieldA = "0198f000-0000-7000-8000-00000000000a";
const shieldB = "0198f000-0000-7000-8000-00000000000b";
const recordA = { shield_id: shieldA, revision: 3, config: { name: "A § ü" } };
const recordB = { shield_id: shieldB, revision: 1, config: { name: "B" } };

const writer = fileURLToPath(new URL("testing/kill-writer.ts", import.meta.url));

async function filledStore(path: string): Promise<ReturnType<typeof createLastGoodStore>> {
  const store = createLastGoodStore(path);
  await store.load();
  await store.put(recordA);
  await store.put(recordB);
  await store.putZone({ zone: "gs.localhost" });
  await store.commit({ version: 7, shields: 2, refused: 0 });
  return store;
}

describe("last good copy on disk", () => {
  test("comes back as it was written", async () => {
    await using folder = await createTestFolder();
    await filledStore(folder.path);
    const loaded = await createLastGoodStore(folder.path).load();
    expect(loaded.version).toBe(7);
    expect(loaded.records).toEqual(expect.arrayContaining([recordA, recordB]));
    expect(loaded.zone).toEqual({ zone: "gs.localhost" });
    expect(loaded.damaged).toEqual([]);
  });

  test("is empty at version 0 before anything is written", async () => {
    await using folder = await createTestFolder();
    expect(await createLastGoodStore(join(folder.path, "new")).load()).toEqual({
      version: 0,
      origin: null,
      records: [],
      zone: null,
      damaged: [],
    });
  });

  test("remembers its credential and history; a copy of an older release does not", async () => {
    await using folder = await createTestFolder();
    const store = await filledStore(folder.path);
    expect((await store.load()).origin).toBe(null);
    const origin = { edge_id: shieldA, epoch: "history-1" };
    await store.commit({ version: 7, shields: 2, refused: 0, origin });
    expect(await store.load()).toMatchObject({ version: 7, origin });
  });

  test("loses a removed shield and keeps the version", async () => {
    await using folder = await createTestFolder();
    const store = await filledStore(folder.path);
    await store.remove(shieldA);
    await store.remove(shieldA);
    await store.commit({ version: 8, shields: 1, refused: 0 });
    const loaded = await store.load();
    expect(loaded.records).toEqual([recordB]);
    expect(loaded.version).toBe(8);
  });

  test("torn at any byte or with any byte changed is not read as a record", () => {
    const whole = encodeLastGood(JSON.stringify(recordA));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        expect(decodeLastGood(whole.subarray(0, at))).toBeNull();
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(decodeLastGood(changed)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeLastGood(bytes)).toBeNull();
      }),
    );
  });

  test("with a torn record serves the others and asks for a snapshot", async () => {
    await using folder = await createTestFolder();
    const store = await filledStore(folder.path);
    const path = join(folder.path, `${shieldA}.shield`);
    await writeFile(path, (await readFile(path)).subarray(0, 90));
    const loaded = await store.load();
    expect(loaded.records).toEqual([recordB]);
    expect(loaded.damaged).toEqual([`${shieldA}.shield`]);
    expect(loaded.version).toBe(0);
  });

  test.each([
    ["a lost record", (path: string) => createLastGoodStore(path).remove(shieldB)],
    ["a torn head", (path: string) => writeFile(join(path, "head"), "palisade-last-good 1 ")],
    [
      "something that is not a file",
      async (path: string) => {
        await rm(join(path, `${shieldB}.shield`));
        await mkdir(join(path, `${shieldB}.shield`));
      },
    ],
    [
      "a record under another shield's name",
      async (path: string) =>
        writeFile(join(path, `${shieldB}.shield`), await readFile(join(path, `${shieldA}.shield`))),
    ],
  ])("with %s asks for a snapshot", async (_, damage) => {
    await using folder = await createTestFolder();
    const store = await filledStore(folder.path);
    await damage(folder.path);
    const loaded = await store.load();
    expect(loaded.version).toBe(0);
    expect(loaded.records).toContainEqual(recordA);
  });

  test("asks for a snapshot when a record had been refused", async () => {
    await using folder = await createTestFolder();
    const store = await filledStore(folder.path);
    await store.commit({ version: 9, shields: 2, refused: 1 });
    expect((await store.load()).version).toBe(0);
  });

  test.each([
    ["last_good.record", 4],
    ["last_good.head", 5],
  ])("killed at the failpoint %s holds the complete round before", async (failpoint, revision) => {
    await using folder = await createTestFolder();
    const store = createLastGoodStore(folder.path);
    await store.load();
    for (const shield_id of [shieldA, shieldB]) {
      const config = { filler: "4".repeat(20_000) };
      await store.put({ shield_id, revision: 4, config });
    }
    await store.commit({ version: 4, shields: 2, refused: 0 });

    const child = spawn(process.execPath, [
      writer,
      folder.path,
      `${shieldA},${shieldB}`,
      failpoint,
    ]);
    const [, signal] = await once(child, "close");
    expect(signal).toBe("SIGKILL");
    expect((await readdir(folder.path)).some((name) => name.endsWith(".tmp"))).toBe(true);
    const loaded = await createLastGoodStore(folder.path).load();
    expect(loaded).toMatchObject({ version: 4, damaged: [] });
    expect(loaded.records.map((record) => record.revision)).toEqual([revision, revision]);
  });

  test("killed with kill -9 while writing holds whole records, never older than its version", async () => {
    await using folder = await createTestFolder();
    let leftovers = 0;
    let reached = 0;
    for (let round = 0; round < 8; round += 1) {
      const child = spawn(process.execPath, [writer, folder.path, `${shieldA},${shieldB}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      // Each round kills at another moment of the write.
      const until = performance.now() + round * 3;
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
      child.kill("SIGKILL");
      await once(child, "close");

      leftovers += (await readdir(folder.path)).filter((name) => name.endsWith(".tmp")).length;
      const loaded = await createLastGoodStore(folder.path).load();
      expect(loaded.damaged).toEqual([]);
      expect(loaded.records).toHaveLength(2);
      expect(loaded.version).toBeGreaterThan(reached);
      reached = loaded.version;
      for (const record of loaded.records) {
        expect(record.revision).toBeGreaterThanOrEqual(loaded.version);
        expect(record.revision).toBeLessThanOrEqual(loaded.version + 1);
        expect(record.config).toEqual({ filler: String(record.revision).repeat(20_000) });
      }
      expect((await readdir(folder.path)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
    // Otherwise no kill hit a write and the test proves nothing.
    expect(leftovers).toBeGreaterThan(0);
  });
});
