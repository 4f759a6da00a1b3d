import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AbuseCounters,
  aroundOf,
  networkText,
  readSource,
  type SourceNumbers,
  sourceCount,
  SourceTable,
} from "./source-counts.ts";

const source = fc.record({
  family: fc.constantFrom(4 as const, 6 as const),
  high: fc.constantFrom(0, 1, 0xffff_ffff),
  low: fc.nat({ max: 600 }),
});

describe("facts by source", () => {
  test("add up by source, however the table grows, up to its bound", () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 800 }), fc.integer(), (sources, seed) => {
        const rowsMax = 300;
        const table = new SourceTable(rowsMax, seed);
        const counts = new Map<string, number>();
        for (const { family, high, low } of sources) {
          const key = `${family} ${high} ${low}`;
          const row = table.take(family, high, low);
          expect(row >= 0).toBe(counts.has(key) || counts.size < rowsMax);
          if (row < 0) continue;
          table.add(row, sourceCount.hostile, 1);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const seen = new Map<string, number>();
        table.each((row, family, high, low) => {
          expect(table.find(family, high, low)).toBe(row);
          seen.set(`${family} ${high} ${low}`, table.get(row, sourceCount.hostile));
        });
        expect(seen).toEqual(counts);
        expect(table.size).toBe(counts.size);
      }),
    );
  });

  test("counts of two threads are added up, and none is returned twice", () => {
    const [one, two, both] = [new AbuseCounters(1), new AbuseCounters(2), new AbuseCounters(3)];
    one.note("203.0.113.7", sourceCount.hostile);
    two.note("203.0.113.7", sourceCount.admitted);
    for (const each of [one, two]) both.add(structuredClone(each.drain()));
    const { size, families, keys, counts } = both.drain();
    expect({ size, families: [...families], keys: [...keys], counts: [...counts] }).toEqual({
      size: 1,
      families: [4],
      keys: [0, 0xcb00_7107],
      counts: [2, 1, 0, 1, 0],
    });
    expect([one.drain().size, both.drain().size]).toEqual([0, 0]);
  });

  test("more than is told apart stays the most there is", () => {
    const table = new SourceTable(1, 0);
    const row = table.take(4, 0, 1);
    for (let n = 0; n < 3; n++) table.add(row, sourceCount.connections, 30_000);
    expect(table.get(row, sourceCount.connections)).toBe(0xffff);
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7/32", "203.0.113.0/24"],
  ["255.255.255.255", "255.255.255.255/32", "255.255.255.0/24"],
  ["20010db8000100ff", "2001:db8:1:ff::/64", "2001:db8:1::/48"],
])("the source %s is the network %s within %s", (key, alone, around) => {
  const read: SourceNumbers = { family: 0, high: 0, low: 0 };
  readSource(key, read);
  const { family, high, low } = read;
  expect(networkText(family, high, low, false)).toBe(alone);
  expect(networkText(family, high, aroundOf(family, low), true)).toBe(around);
});
