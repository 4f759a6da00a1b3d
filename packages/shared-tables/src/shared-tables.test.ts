import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Key, SeededHash } from "./seeded-hash.ts";
import { FixedWindowCounter, TtlSet } from "./shared-tables.ts";

const startMs = 1_800_000_000_000;
const seed = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7]);

function keyOf(n: number): Key {
  const { high, low } = new SeededHash(seed).begin(1).addName(String(n)).end();
  return { high, low };
}

describe("seeded hash", () => {
  test.each([
    [0, "218d1f59b9b83cc8"],
    [1, "be552412f8387315"],
    [3, "ce0f1a45f7060679"],
    [4, "d5e78a175be52ea1"],
    [8, "edfee820bce4858c"],
  ])("of %d bytes is HalfSipHash-2-4 as its authors publish it", (length, expected) => {
    const hash = new SeededHash(seed);
    hash.digest(
      Uint8Array.from({ length }, (_, n) => n),
      length,
    );
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(hash.low, 0);
    bytes.writeInt32LE(hash.high, 4);
    expect(bytes.toString("hex")).toBe(expected);
  });

  test("names are one whatever the case; kinds and seeds keep keys apart", () => {
    const of = (kind: number, name: string, by = seed): string => {
      const { high, low } = new SeededHash(by).begin(kind).addName(name).end();
      return `${high} ${low}`;
    };
    expect(of(1, "STEVE_01")).toBe(of(1, "steve_01"));
    expect(of(2, "steve_01")).not.toBe(of(1, "steve_01"));
    expect(of(1, "steve_01", new Uint8Array(8))).not.toBe(of(1, "steve_01"));
    // More than there is room for is left out, whatever it is.
    expect(of(1, "a".repeat(1_000))).toBe(of(1, "a".repeat(2_000)));
  });
});

describe("rates", () => {
  const windowMs = 1_000;

  test("agree with plain counters, window by window", () => {
    const step = fc.record({
      key: fc.nat(3),
      limit: fc.integer({ min: 1, max: 5 }),
      ms: fc.nat(700),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = new FixedWindowCounter(FixedWindowCounter.allocate(64), windowMs);
        const counts = new Map<string, number>();
        let nowMs = startMs;
        for (const { key, limit, ms } of steps) {
          nowMs += ms;
          const place = `${key} ${Math.floor(nowMs / windowMs)}`;
          const before = counts.get(place) ?? 0;
          expect(table.count(keyOf(key), nowMs)).toBe(before);
          expect(table.hit(keyOf(key), nowMs, limit)).toBe(before < limit);
          if (before < limit) counts.set(place, before + 1);
        }
      }),
    );
  });

  test("a table full of keys throws nothing, grows by nothing and lets new keys in", () => {
    const buffer = FixedWindowCounter.allocate(64);
    const table = new FixedWindowCounter(buffer, windowMs);
    for (let n = 0; n < 10_000; n++) expect(table.hit(keyOf(n), startMs, 1)).toBe(true);
    expect(buffer.byteLength).toBe(64 * 8);
  });

  test("a key with many hits is not given up for those with one", () => {
    const table = new FixedWindowCounter(FixedWindowCounter.allocate(8), windowMs);
    for (let n = 0; n < 20; n++) table.hit(keyOf(0), startMs, 20);
    for (let n = 1; n < 1_000; n++) table.hit(keyOf(n), startMs, 20);
    expect(table.hit(keyOf(0), startMs, 20)).toBe(false);
  });

  test("threads that come to the next window a little apart count in one", () => {
    const table = new FixedWindowCounter(FixedWindowCounter.allocate(64), windowMs);
    const next = startMs + windowMs;
    for (let n = 0; n < 3; n++) expect(table.hit(keyOf(1), next, 3)).toBe(true);
    expect(table.hit(keyOf(1), next - 1, 3)).toBe(false);
    expect(table.hit(keyOf(1), next, 3)).toBe(false);
  });

  test("a clock that is set back begins anew", () => {
    const table = new FixedWindowCounter(FixedWindowCounter.allocate(64), windowMs);
    expect(table.hit(keyOf(1), startMs, 1)).toBe(true);
    expect(table.hit(keyOf(1), startMs - 3_600_000, 1)).toBe(true);
  });

  test("sizes that are no power of two are refused", () => {
    for (const slots of [0, 4, 100])
      expect(() => FixedWindowCounter.allocate(slots)).toThrow(RangeError);
  });
});

describe("marks", () => {
  test("agree with plain times", () => {
    const step = fc.record({
      key: fc.nat(3),
      what: fc.constantFrom("take", "release", "renew"),
      ms: fc.nat(300).map((n) => n * 20),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = new TtlSet(TtlSet.allocate(64), 10_000);
        const until = new Map<number, number>();
        let nowMs = startMs;
        for (const { key, what, ms } of steps) {
          nowMs += ms;
          const left = Math.max(0, (until.get(key) ?? 0) - nowMs);
          expect(table.remainingMs(keyOf(key), nowMs)).toBe(left);
          if (what === "release") {
            table.release(keyOf(key));
            until.delete(key);
          } else if (what === "renew") {
            table.renew(keyOf(key), nowMs, 5_000);
            if (left <= 4_500) until.set(key, nowMs + 5_000);
          } else {
            expect(table.take(keyOf(key), nowMs, 5_000)).toBe(left === 0);
            if (left === 0) until.set(key, nowMs + 5_000);
          }
        }
      }),
    );
  });

  test("a full table refuses no new mark, and those that last longest stay", () => {
    const buffer = TtlSet.allocate(8);
    const table = new TtlSet(buffer, 60_000);
    expect(table.take(keyOf(0), startMs, 60_000)).toBe(true);
    for (let n = 1; n < 1_000; n++) expect(table.take(keyOf(n), startMs, 5_000)).toBe(true);
    expect(table.take(keyOf(0), startMs, 60_000)).toBe(false);
    expect(buffer.byteLength).toBe(64);
  });

  test("entries in the far future, left by a clock that was set back, are void", () => {
    const table = new TtlSet(TtlSet.allocate(64), 10_000);
    table.take(keyOf(1), startMs + 3_600_000, 5_000);
    expect(table.remainingMs(keyOf(1), startMs)).toBe(0);
    expect(table.take(keyOf(1), startMs, 5_000)).toBe(true);
  });
});
