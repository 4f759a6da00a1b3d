import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMinuteBuffer } from "./minute-buffer.ts";
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
