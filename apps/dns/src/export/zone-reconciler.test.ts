import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLogRecorder, createTestFolder } from "@palisade/control-client/testing/recorder";
import { afterEach, describe, expect, test } from "vitest";
import { createZoneReconciler, type ZoneReconciler } from "#src/export/zone-reconciler.ts";
import type { UpdateOutcome } from "#src/export/update-outcome.ts";
import { edgesOf, idOf, labelOf, shieldOf, testZone } from "#src/test-zone.ts";
import { encodeUpdate, type NameChange } from "#src/wire/update-message.ts";
import { createZoneTable, type ZoneTable } from "#src/zone/zone-table.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const first = `zzzzzzzzzzzz.${testZone}`;
const second = `yyyyyyyyyyyy.${testZone}`;
const oneEdge = edgesOf({ location: "frankfurt", addresses: ["203.0.113.1"] });

interface Scene {
  readonly table: ZoneTable;
  readonly pass: ZoneReconciler;
  readonly folder: string;
  readonly log: ReturnType<typeof createLogRecorder>;
  /** The changes of each update sent. */
  readonly sent: (readonly NameChange[])[];
  /** The server's answer, and anything that happens before it. */
  server: () => UpdateOutcome | Promise<UpdateOutcome>;
  isComplete: boolean;
}

async function createScene(folder?: string): Promise<Scene> {
  const table = createZoneTable(testZone, 1);
  const made = folder === undefined ? await createTestFolder() : null;
  if (made !== null) ends.push(async () => made[Symbol.asyncDispose]());
  const sent: (readonly NameChange[])[] = [];
  const log = createLogRecorder();
  const scene: Scene = {
    table,
    log,
    folder: folder ?? made?.path ?? "",
    sent,
    server: () => ({ kind: "done" }),
    isComplete: true,
    pass: createZoneReconciler({
      table,
      isComplete: () => scene.isComplete,
      folder: folder ?? made?.path ?? "",
      server: "192.0.2.1:53",
      log,
      client: {
        async update(_zone, changes) {
          sent.push(changes);
          return scene.server();
        },
        close: () => undefined,
      },
    }),
  };
  return scene;
}

async function noteIn(folder: string): Promise<string> {
  const [name = ""] = await readdir(folder);
  return readFile(join(folder, name), "utf8");
}

const away: UpdateOutcome = { kind: "unreachable", reason: "test" };

describe("a run of the reconciler", () => {
  test("sends only differences, and nothing when everything is as desired", async () => {
    const { table, pass, sent } = await createScene();
    expect(await pass.reconcile()).toEqual({ kind: "done", updated: 0, removed: 0 });
    table.setEdges(oneEdge);
    table.setShield(shieldOf(1, first, "frankfurt"));
    expect(await pass.reconcile()).toEqual({ kind: "done", updated: 1, removed: 0 });
    expect(await pass.reconcile()).toEqual({ kind: "done", updated: 0, removed: 0 });
    table.setShield(shieldOf(2, second, "frankfurt"));
    await pass.reconcile();
    expect(sent.map((changes) => changes.map(({ name }) => name))).toEqual([[first], [second]]);
  });

  test("a label is on disk before the server has it, and until the server has removed it", async () => {
    const scene = await createScene();
    const { table, pass, folder } = scene;
    table.setEdges(oneEdge);
    table.setShield(shieldOf(1, first, "frankfurt"));
    const noted: string[] = [];
    scene.server = async () => {
      noted.push(await noteIn(folder));
      return { kind: "done" };
    };
    await pass.reconcile();
    table.removeShield(idOf(1));
    await pass.reconcile();
    expect(noted).toEqual([expect.stringContaining("zzzzzzzzzzzz"), noted[0]]);
    expect(await noteIn(folder)).not.toContain("zzzzzzzzzzzz");
  });

  test("a label of an earlier process is removed only when the table is complete", async () => {
    const before = await createScene();
    before.table.setEdges(oneEdge);
    before.table.setShield(shieldOf(1, first, "frankfurt"));
    await before.pass.reconcile();

    const after = await createScene(before.folder);
    after.isComplete = false;
    after.table.setEdges(oneEdge);
    await after.pass.reconcile();
    expect(after.sent).toEqual([]);
    after.isComplete = true;
    expect(await after.pass.reconcile()).toEqual({ kind: "done", updated: 0, removed: 1 });
    expect(after.sent).toEqual([[{ name: first, ttlSeconds: 30, v4: [], v6: [] }]]);
  });

  test("a list that was tampered with touches no name but labels", async () => {
    const before = await createScene();
    before.table.setEdges(oneEdge);
    before.table.setShield(shieldOf(1, first, "frankfurt"));
    await before.pass.reconcile();
    const [name = ""] = await readdir(before.folder);
    await writeFile(join(before.folder, name), "www\n\n*\n../x\nAAAAAAAAAAAA\ncccccccccccc\n");
    await writeFile(join(before.folder, `${name}.1-1.tmp`), "dddddddddddd\n");

    const after = await createScene(before.folder);
    after.table.setEdges(oneEdge);
    await after.pass.reconcile();
    expect(after.sent.flat().map((change) => change.name)).toEqual([`cccccccccccc.${testZone}`]);
    expect(await readdir(before.folder)).toEqual([name]);
  });

  test("the newest state wins, also over changes planned at the start of the run", async () => {
    const scene = await createScene();
    const { table, pass, sent } = scene;
    table.setEdges(oneEdge);
    for (let n = 0; n < 150; n += 1) table.setShield(shieldOf(n, labelOf(n), "frankfurt"));
    let changes = 0;
    scene.server = () => {
      changes += 1;
      table.setEdges(edgesOf({ location: "frankfurt", addresses: [`203.0.113.${changes + 1}`] }));
      return { kind: "done" };
    };
    await pass.reconcile();
    expect(sent.map((batch) => [batch.length, batch[0]?.v4])).toEqual([
      [100, ["203.0.113.1"]],
      [50, ["203.0.113.2"]],
    ]);
    // Changes in between wait for the next run.
    scene.server = () => ({ kind: "done" });
    expect(await pass.reconcile()).toMatchObject({ updated: 150 });
  });

  test("continues after an interruption, and sends everything again after an outage of a settled server", async () => {
    const scene = await createScene();
    const { table, pass, sent } = scene;
    table.setEdges(oneEdge);
    for (let n = 0; n < 250; n += 1) table.setShield(shieldOf(n, labelOf(n), "frankfurt"));
    scene.server = () => (sent.length === 2 ? away : { kind: "done" });
    expect(await pass.reconcile()).toEqual(away);
    expect(await pass.reconcile()).toEqual({ kind: "done", updated: 150, removed: 0 });
    table.setShield(shieldOf(900, first, "frankfurt"));
    scene.server = () => away;
    expect(await pass.reconcile()).toEqual(away);
    scene.server = () => ({ kind: "done" });
    expect(await pass.reconcile()).toEqual({ kind: "done", updated: 251, removed: 0 });
  });

  test("an update without a trusted answer is sent again, or taken back", async () => {
    const scene = await createScene();
    const { table, pass, sent } = scene;
    table.setEdges(oneEdge);
    table.setShield(shieldOf(1, first, "frankfurt"));
    await pass.reconcile();
    scene.server = () => ({ kind: "untrusted", reason: "is not signed" });
    table.setEdges(edgesOf({ location: "frankfurt", addresses: ["203.0.113.2"] }));
    await pass.reconcile();
    table.setEdges(oneEdge);
    scene.server = () => ({ kind: "done" });
    await pass.reconcile();
    expect(sent.map(([change]) => change?.v4)).toEqual([
      ["203.0.113.1"],
      ["203.0.113.2"],
      ["203.0.113.1"],
    ]);
  });

  test("a full disk is logged once and does not stop the export", async () => {
    const scene = await createScene("/dev/null/nowhere");
    const { table, pass, sent, log } = scene;
    table.setEdges(oneEdge);
    for (const n of [1, 2, 3]) {
      table.setShield(shieldOf(n, labelOf(n), "frankfurt"));
      expect(await pass.reconcile()).toMatchObject({ kind: "done", updated: 1 });
    }
    expect(sent).toHaveLength(3);
    expect(log.lines).toEqual([
      { level: "error", message: "the list of exported labels cannot be written" },
    ]);
  });

  test("an update stays within its limits, however many addresses a location has", async () => {
    const { table, pass, sent } = await createScene();
    const addresses = (n: number) => [`198.51.100.${n}`, `2001:db8::${n.toString(16)}`];
    table.setEdges(
      edgesOf(
        ...Array.from({ length: 200 }, (_, n) => ({
          location: "frankfurt",
          addresses: addresses(n + 1),
        })),
      ),
    );
    for (let n = 0; n < 60; n += 1) table.setShield(shieldOf(n, labelOf(n), "frankfurt"));
    await pass.reconcile();
    for (const changes of sent) {
      expect(encodeUpdate(1, testZone, changes).length).toBeLessThanOrEqual(15 * 1024);
      for (const { v4, v6 } of changes) expect([v4.length, v6.length]).toEqual([16, 16]);
    }
    expect(sent.flat()).toHaveLength(60);
    // Every edge is used by some labels and none by all.
    expect(new Set(sent.flat().flatMap(({ v4 }) => v4)).size).toBeGreaterThan(100);
  });

  test("changing to another zone and back neither mixes nor forgets labels", async () => {
    const scene = await createScene();
    const { table, pass, sent } = scene;
    table.setEdges(oneEdge);
    table.setShield(shieldOf(1, first, "frankfurt"));
    await pass.reconcile();
    table.setEdges({ ...oneEdge, zone: "other.test" });
    table.setShield(shieldOf(2, "cccccccccccc.other.test", "frankfurt"));
    table.removeShield(idOf(1));
    await pass.reconcile();
    table.setEdges(oneEdge);
    await pass.reconcile();
    expect(sent.flat().map(({ name, v4 }) => [name, v4.length])).toEqual([
      [first, 1],
      ["cccccccccccc.other.test", 1],
      [first, 0],
    ]);
  });
});
