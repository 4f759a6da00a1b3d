import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EdgeGauges, CountMinSketch, FdBudget } from "./shared-counters.ts";
import { SequenceTable } from "./shared-tables.ts";
import { SeededHash } from "./seeded-hash.ts";
import { runThreads } from "@palisade/testing/threads";

const seed = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

describe("counts of what there is now", () => {
  test("are those of plain counters, whatever column counts", () => {
    const step = fc.record({
      key: fc.nat(3),
      column: fc.nat(2),
      kind: fc.constantFrom(0 as const, 1 as const),
      isUp: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const buffer = CountMinSketch.allocate({ columns: 3, cells: 1_024, seed });
        const columns = [0, 1, 2].map((column) => new CountMinSketch(buffer, column));
        const plain = new Map<string, number>();
        for (const { key, column, kind, isUp } of steps) {
          const counts = columns[column];
          const cells = counts?.cellsOf(0, String(key));
          if (counts === undefined || cells === undefined) continue;
          const of = (n: number): string => `${key} ${kind} ${n}`;
          const before = [0, 1, 2].reduce((sum, n) => sum + (plain.get(of(n)) ?? 0), 0);
          expect(counts.total(cells, kind)).toBe(before);
          if (isUp) {
            const isLetIn = counts.tryUp(cells, kind, 5);
            expect(isLetIn).toBe(before < 5);
            if (isLetIn) plain.set(of(column), (plain.get(of(column)) ?? 0) + 1);
          } else if ((plain.get(of(column)) ?? 0) > 0) {
            counts.down(cells, kind);
            plain.set(of(column), (plain.get(of(column)) ?? 0) - 1);
          }
        }
      }),
    );
  });

  test("a key that shares a cell is not counted with the other, and other spaces are apart", () => {
    const counts = new CountMinSketch(
      CountMinSketch.allocate({ columns: 1, cells: 4_096, seed }),
      0,
    );
    for (let n = 0; n < 500; n++) counts.up(counts.cellsOf(0, `source ${n}`), 0);
    const wrong = Array.from({ length: 500 }, (_, n) =>
      counts.total(counts.cellsOf(0, `source ${n}`), 0),
    ).filter((total) => total !== 1);
    // Both cells of a key are another's too: about one in seventy keys at this load.
    expect(wrong.length).toBeLessThan(20);
    expect(counts.total(counts.cellsOf(0, "source 1"), 1)).toBe(0);
    expect(() => CountMinSketch.allocate({ columns: 1, cells: 100, seed })).toThrow(RangeError);
  });
});

describe("over threads", () => {
  const threads = 4;
  const max = 7;

  test("a limit is never exceeded, is used up, and nothing is left once all have let go", async () => {
    const keys = 8;
    const buffer = CountMinSketch.allocate({ columns: threads, cells: 1_024, seed });
    const holders = new SharedArrayBuffer(4 * keys);
    const { told, workers } = await runThreads<{ most: number; kept: number }>(
      threads,
      `
        const { CountMinSketch } = await load("packages/shared-tables/src/shared-counters.ts");
        const counts = new CountMinSketch(data.buffer, thread);
        const holders = new Int32Array(data.holders);
        const cells = Array.from({ length: data.keys }, (_, n) => counts.cellsOf(0, "key " + n));
        let most = 0;
        gate();
        for (let n = 0; n < 40_000; n++) {
          const key = n % data.keys;
          if (!counts.tryUp(cells[key], 0, data.max)) continue;
          most = Math.max(most, Atomics.add(holders, key, 1) + 1);
          if (n % 3 === 0) for (let spin = 0; spin < 50; spin++) Atomics.load(holders, 0);
          Atomics.sub(holders, key, 1);
          counts.down(cells[key], 0);
        }
        const rest = counts.cellsOf(1, "kept");
        let kept = 0;
        for (let n = 0; n < 1_000; n++) if (counts.tryUp(rest, 1, 500)) kept++;
        tell({ most, kept });
      `,
      { buffer, holders, keys, max },
    );
    const counts = new CountMinSketch(buffer, 0);
    for (const { most } of told) expect(most).toBeLessThanOrEqual(max);
    for (let n = 0; n < keys; n++) expect(counts.total(counts.cellsOf(0, `key ${n}`), 0)).toBe(0);
    expect(told.reduce((sum, { kept }) => sum + kept, 0)).toBe(500);
    expect(counts.total(counts.cellsOf(1, "kept"), 1)).toBe(500);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  test("counts of a killed thread go with its column, and those of the others stay", async () => {
    const buffer = CountMinSketch.allocate({ columns: threads, cells: 1_024, seed });
    const gauges = EdgeGauges.allocate(threads);
    const { workers } = await runThreads(
      threads,
      `
        const { CountMinSketch, EdgeGauges } = await load("packages/shared-tables/src/shared-counters.ts");
        const counts = new CountMinSketch(data.buffer, thread);
        const gauges = new EdgeGauges(data.gauges, thread);
        const cells = counts.cellsOf(0, "busy");
        for (let n = 0; n < 10; n++) {
          counts.up(cells, 1);
          gauges.add("files", 1);
        }
        tell("counted");
        // Killed in the middle of its work, wherever that is.
        while (thread === 1) {
          counts.up(cells, 0);
          counts.down(cells, 0);
        }
      `,
      { buffer, gauges },
    );
    await workers[1]?.terminate();
    const counts = new CountMinSketch(buffer, 0);
    const edge = new EdgeGauges(gauges, 0);
    const cells = counts.cellsOf(0, "busy");
    expect([counts.total(cells, 1), edge.total("files")]).toEqual([40, 40]);
    counts.clear(1);
    edge.clear(1);
    expect([counts.total(cells, 1), edge.total("files")]).toEqual([30, 30]);
    expect(counts.total(cells, 0)).toBe(0);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  test("descriptors are of one budget, and turns are each one thread's", async () => {
    const gauges = EdgeGauges.allocate(threads);
    const turns = SequenceTable.allocate(64);
    const { told, workers } = await runThreads<{ taken: number; turns: number[] }>(
      threads,
      `
        const { EdgeGauges, FdBudget } = await load("packages/shared-tables/src/shared-counters.ts");
        const { SequenceTable } = await load("packages/shared-tables/src/shared-tables.ts");
        const { SeededHash } = await load("packages/shared-tables/src/seeded-hash.ts");
        const share = { gauges: new EdgeGauges(data.gauges, thread), shares: threads };
        const fds = new FdBudget(1_224, share);
        const table = new SequenceTable(data.turns);
        const key = new SeededHash(new Uint8Array(8)).begin(1).addName("group").end();
        gate();
        let taken = 0;
        for (let n = 0; n < 20_000; n++) {
          if (!fds.tryTake()) continue;
          taken++;
          if (n < 15_000) { fds.release(); taken--; }
        }
        tell({ taken, turns: Array.from({ length: 1_000 }, () => table.next(key)) });
      `,
      { gauges, turns },
    );
    const fds = new FdBudget(1_224, { gauges: new EdgeGauges(gauges, 0), shares: threads });
    expect(told.reduce((sum, { taken }) => sum + taken, 0)).toBe(1_000);
    expect(fds.used).toBe(1_000);
    expect(fds.tryTake()).toBe(false);
    const given = new Set(told.flatMap(({ turns: own }) => own));
    expect(given.size).toBe(threads * 1_000);
    const key = new SeededHash(new Uint8Array(8)).begin(1).addName("group").end();
    expect(new SequenceTable(turns).next(key)).toBe(threads * 1_000 + 1);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});
