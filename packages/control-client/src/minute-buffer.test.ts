import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMinuteBuffer, minutesKeptMax } from "./minute-buffer.ts";
import { shieldId } from "./testing/config-harness.ts";
import { minuteOf, startOfTest } from "./testing/minutes.ts";

describe("counters during an outage of the control plane", () => {
  test("stay within the bound and keep their sums while there is an entry per shield", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat(200), fc.nat(9)), {
          maxLength: 300,
        }),
        (events) => {
          const buffer = createMinuteBuffer(8);
          let joins = 0;
          for (const [n, minute, count] of events) {
            buffer.add([minuteOf(n, minute, count)]);
            joins += count;
            expect(buffer.size()).toBeLessThanOrEqual(8);
          }
          const kept = buffer.take(100, Number.MAX_SAFE_INTEGER);
          expect(kept.reduce((sum, counters) => sum + counters.joins, 0)).toBe(joins);
          expect(buffer.dropped()).toBe(0);
        },
      ),
    );
  });

  test("an hour of 2,000 shields is kept minute by minute", () => {
    const buffer = createMinuteBuffer(minutesKeptMax);
    for (let minute = 0; minute < 60; minute += 1) {
      buffer.add(Array.from({ length: 2_000 }, (_, n) => minuteOf(n, minute, 1 + (n % 7))));
    }
    expect([buffer.size(), buffer.dropped(), buffer.exactFromMs()]).toEqual([120_000, 0, 0]);
    const first = buffer.take(4_000, Number.MAX_SAFE_INTEGER);
    expect(new Set(first.map(({ minute }) => minute)).size).toBe(2);
    expect(first.slice(0, 3)).toEqual([0, 1, 2].map((n) => minuteOf(n, 0, 1 + n)));
  });

  test("100,000 shields keep their sums, in the minute in which the outage began", () => {
    const buffer = createMinuteBuffer(minutesKeptMax);
    for (let minute = 0; minute < 2; minute += 1) {
      buffer.add(Array.from({ length: 100_000 }, (_, n) => minuteOf(n, minute, 1 + (n % 7))));
    }
    const kept = buffer.take(minutesKeptMax, Number.MAX_SAFE_INTEGER);
    expect([kept.length, buffer.dropped()]).toEqual([100_000, 0]);
    expect(kept.every(({ joins, pings }, n) => joins === 2 * (1 + (n % 7)) && pings === 4)).toBe(
      true,
    );
    expect(new Set(kept.map(({ minute }) => minute))).toEqual(new Set([minuteOf(0, 0).minute]));
    expect(buffer.exactFromMs()).toBe(startOfTest + 120_000);
  });

  test("more shields than the bound are dropped oldest first and counted", () => {
    const buffer = createMinuteBuffer(3);
    for (let n = 1; n <= 5; n += 1) buffer.add([minuteOf(n, n)]);
    const kept = buffer.take(10, Number.MAX_SAFE_INTEGER);
    expect(kept.map((counters) => counters.shield_id)).toEqual([3, 4, 5].map(shieldId));
    expect(buffer.dropped()).toBe(2);
  });

  test("tells from which minute on none was summed up with others", () => {
    const buffer = createMinuteBuffer(3);
    for (let minute = 0; minute < 3; minute += 1) buffer.add([minuteOf(1, minute)]);
    expect([buffer.exactFromMs(), buffer.oldestMs()]).toEqual([0, startOfTest]);
    buffer.add([minuteOf(1, 3)]);
    buffer.add([minuteOf(1, 5)]);
    expect([buffer.exactFromMs(), buffer.oldestMs()]).toEqual([startOfTest + 240_000, startOfTest]);
  });
});
