import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runThreads } from "@palisade/testing/threads";
import type { Key } from "./seeded-hash.ts";
import {
  full,
  noSlot,
  restAt,
  SharedHashTable,
  type TableLayout,
  type WorthOf,
  refuseWhenFull,
  timeLeft,
} from "./shared-hash-table.ts";

const now = 1_800_000_000;
const short: TableLayout = { reach: 8 };
const long: TableLayout = { reach: 8, restWords: 2, valueWords: 3, tailWords: 2 };

function create(layout: TableLayout, worthOf: WorthOf, slots = 8): SharedHashTable {
  return new SharedHashTable(SharedHashTable.allocate(slots, layout), layout, worthOf);
}

/** All in one place, so that they compete for its slots. */
function keyOf(n: number): Key {
  return { high: n + 1, low: 0, rest: Int32Array.of(n, -n) };
}

describe.each([
  ["short keys", short],
  ["long keys", long],
])("a table of %s", (_keys, layout) => {
  test("finds what was added, and nothing else, as long as there is room", () => {
    const keys = fc.uniqueArray(fc.nat(1_000), { maxLength: 32 });
    fc.assert(
      fc.property(keys, keys, (added, probes) => {
        const table = create({ ...layout, reach: 32 }, timeLeft(), 32);
        for (const n of added) expect(table.insert(keyOf(n), now + n + 1, now)).not.toBe(full);
        for (const n of [...added, ...probes]) {
          expect(table.worth(keyOf(n), now)).toBe(added.includes(n) ? n + 1 : 0);
        }
        expect([...table.used()]).toHaveLength(added.length);
      }),
    );
  });

  test("keys whose place is at the end go on at the beginning", () => {
    const table = create(layout, timeLeft(), 32);
    for (let n = 0; n < 8; n++) {
      const key = { ...keyOf(n), low: 31 };
      expect(table.insert(key, now + 1, now)).toBeGreaterThanOrEqual(0);
      expect(table.worth(key, now)).toBe(1);
    }
  });

  test("an entry that expires makes room for another once it has ended", () => {
    const table = create(layout, timeLeft());
    for (let n = 0; n < 8; n++) table.insert(keyOf(n), now + 60 + n, now);
    expect(table.insert(keyOf(8), now + 120, now + 60)).toBe(0);
    expect(table.worth(keyOf(0), now)).toBe(0);
    expect(table.worth(keyOf(1), now)).toBe(61);
  });

  test("in a table full of entries that expire, the one that ends first makes room", () => {
    const table = create(layout, timeLeft());
    for (let n = 0; n < 1_000; n++) table.insert(keyOf(n), now + 1 + n, now);
    for (let n = 0; n < 1_000; n++) {
      expect(table.worth(keyOf(n), now)).toBe(n < 992 ? 0 : n + 1);
    }
  });

  test("an entry that lasts longer than any can is void, and its slot is free", () => {
    const table = create(layout, timeLeft(100));
    for (let n = 0; n < 8; n++) table.insert(keyOf(n), now + 101, now);
    expect(table.worth(keyOf(0), now)).toBe(0);
    expect(table.insert(keyOf(8), now + 1, now)).toBe(0);
  });

  test("in a table full of counters, the lowest makes room and the others count on", () => {
    const table = create(layout, (count) => count);
    for (let n = 0; n < 8; n++) table.insert(keyOf(n), n + 2, 0);
    for (let n = 8; n < 100; n++) table.insert(keyOf(n), 1, 0);
    expect(table.worth(keyOf(99), 0)).toBe(1);
    for (let n = 1; n < 8; n++) expect(table.worth(keyOf(n), 0)).toBe(n + 2);
  });

  test("a table that must not forget refuses when it is full, until an entry has ended", () => {
    const table = create(layout, refuseWhenFull(timeLeft()));
    for (let n = 0; n < 8; n++) table.insert(keyOf(n), now + 60 + n, now);
    expect(table.insert(keyOf(8), now + 60, now)).toBe(full);
    for (let n = 0; n < 8; n++) expect(table.find(keyOf(n))).not.toBe(noSlot);
    expect(table.insert(keyOf(8), now + 120, now + 60)).toBe(0);
    expect(table.insert(keyOf(9), now + 120, now + 60)).toBe(full);
  });

  test("sizes that are no power of two are refused", () => {
    for (const slots of [0, 24, 100]) {
      expect(() => SharedHashTable.allocate(slots, layout)).toThrow(RangeError);
    }
  });
});

describe("a table of long keys", () => {
  test("tells keys apart that have the same tag and place", () => {
    const table = create(long, timeLeft());
    const [one, other] = [keyOf(1), { ...keyOf(1), rest: Int32Array.of(1, 1) }];
    table.insert(one, now + 1, now);
    table.insert(other, now + 2, now);
    expect([table.worth(one, now), table.worth(other, now)]).toEqual([1, 2]);
  });

  test("a key of a thread that died while it added it matches no key and leaves its slot in time", () => {
    const table = create(long, timeLeft());
    const key = keyOf(8);
    table.claim(key, now + 60, now);
    expect(table.mayHave(key)).toBe(true);
    expect(table.find(key)).toBe(noSlot);
    table.insert(key, now + 90, now);
    expect(table.worth(key, now)).toBe(90);
    for (let n = 0; n < 7; n++) table.insert(keyOf(n), now + 150, now + 60);
    for (let n = 0; n < 7; n++) expect(table.worth(keyOf(n), now + 60)).toBe(90);
    expect(table.worth(key, now)).toBe(90);
  });

  test("no search stops before a key because a slot in front of it was given up", () => {
    const table = create(long, timeLeft());
    for (let n = 0; n < 3; n++) table.insert(keyOf(n), now + 60, now);
    const slot = table.find(keyOf(0));
    expect(table.replace(slot, now + 60, 0)).toBe(true);
    expect(table.worth(keyOf(2), now)).toBe(60);
    expect(table.hasAnother(noSlot, keyOf(0), now)).toBe(false);
    expect(table.hasAnother(noSlot, keyOf(2), now)).toBe(true);
    expect(table.hasAnother(table.find(keyOf(2)), keyOf(2), now)).toBe(false);
  });

  test("has values and a tail that no key touches", () => {
    const table = create(long, timeLeft());
    const valuesAt = restAt + 2;
    table.words.fill(7, table.tail);
    for (let n = 0; n < 8; n++) {
      const slot = table.insert(keyOf(n), now + 60, now);
      table.words.fill(n + 1, slot + valuesAt, slot + valuesAt + 3);
    }
    for (let n = 0; n < 8; n++) {
      const values = table.find(keyOf(n)) + valuesAt;
      expect([...table.words.subarray(values, values + 3)]).toEqual([n + 1, n + 1, n + 1]);
    }
    expect([...table.words.subarray(table.tail)]).toEqual([7, 7]);
  });
});

describe("over threads", () => {
  const threads = 4;
  const keys = 500;
  const rounds = 20;

  test.each([
    ["short", short],
    ["long", long],
  ])("counts of %s keys are exact, and a key has one slot", async (_keys, layout) => {
    const buffer = SharedHashTable.allocate(4_096, { ...layout, reach: 64 });
    const { workers } = await runThreads(
      threads,
      `
        const { SharedHashTable } = await load("packages/shared-tables/src/shared-hash-table.ts");
        const table = new SharedHashTable(data.buffer, data.layout, (count) => count);
        const keys = Array.from({ length: data.keys }, (_, n) => {
          return { high: n + 1, low: n * 7919, rest: Int32Array.of(n, -n) };
        });
        const count = (key) => {
          for (;;) {
            const slot = table.find(key);
            if (slot < 0) {
              if (table.insert(key, 1, 0) >= 0) return;
              continue;
            }
            const before = table.read(slot, key);
            if (before !== undefined && table.replace(slot, before, before + 1)) return;
          }
        };
        gate();
        for (const key of keys) for (let n = 0; n < data.rounds; n++) count(key);
        tell("counted");
      `,
      { buffer, layout: { ...layout, reach: 64 }, keys, rounds },
    );
    const table = new SharedHashTable(buffer, { ...layout, reach: 64 }, (count) => count);
    const counts = new Map<number, number>();
    const slots = [...table.used()];
    for (const slot of slots) {
      const [tag = 0, count = 0] = table.words.subarray(slot, slot + 2);
      counts.set(tag, (counts.get(tag) ?? 0) + count);
    }
    expect([...counts.values()]).toEqual(Array.from({ length: keys }, () => threads * rounds));
    // A thread that the system stops while it adds a long key makes another add it again.
    expect(slots.length - keys).toBeLessThan(5);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  test("a table that refuses holds an entry for one thread alone, and forgets none", async () => {
    const layout: TableLayout = { reach: 16 };
    const buffer = SharedHashTable.allocate(64, layout);
    const { told, workers } = await runThreads<number[]>(
      threads,
      `
        const { refuseWhenFull, SharedHashTable, timeLeft } =
          await load("packages/shared-tables/src/shared-hash-table.ts");
        const table = new SharedHashTable(data.buffer, { reach: 16 }, refuseWhenFull(timeLeft()));
        const own = [];
        gate();
        for (let n = 0; n < 300; n++) {
          const key = { high: n + 1, low: n * 7919 };
          if (table.find(key) < 0 && table.insert(key, data.now + 60, data.now) >= 0) own.push(n);
        }
        tell(own);
      `,
      { buffer, now },
    );
    const table = new SharedHashTable(buffer, layout, refuseWhenFull(timeLeft()));
    const taken = told.flat();
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken).toHaveLength(64);
    for (const n of taken) expect(table.find({ high: n + 1, low: n * 7919 })).not.toBe(noSlot);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});
