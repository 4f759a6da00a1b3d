import { randomUUID } from "node:crypto";
import { runThreads } from "@palisade/testing/threads";
import { describe, expect, test } from "vitest";
import {
  createDetector,
  isUnderAttack,
  join,
  player,
  shieldOf,
  start,
  watch,
} from "#src/testing/attack-logins.ts";
import { AttackDetector } from "./attack-detector.ts";
import { type AttackKey, attackKeyOf } from "./attack-table.ts";

describe("a detector of few slots", () => {
  test("gives a shield that comes the place of one whose logins are of a second before", () => {
    const detector = createDetector(4);
    for (let n = 1; n <= 4; n++) join(detector, watch({ n }), 5, start);
    join(detector, watch({ n: 5 }), 6, start + 1_000);
    expect(detector.drain(start + 1_000)).toMatchObject([{ shieldId: shieldOf(5), peak: 6 }]);
    expect(detector.loginsWithoutSlot).toBe(0);
  });

  test("gives up the shield with the fewest logins in this second, and none that is under attack", () => {
    const detector = createDetector(4);
    for (let n = 1; n <= 3; n++) join(detector, watch({ n }), 6, start);
    join(detector, watch({ n: 4 }), 5, start);
    for (let n = 5; n < 50; n++) join(detector, watch({ n }), 1, start);
    join(detector, watch({ n: 50 }), 6, start);
    const told = detector.drain(start).map(({ shieldId }) => shieldId);
    expect(new Set(told)).toEqual(new Set([1, 2, 3, 50].map(shieldOf)));
    expect(detector.loginsWithoutSlot).toBe(0);
  });

  test("counts the logins of a shield that finds no place, for all threads", () => {
    const buffer = AttackDetector.allocate({ slots: 4 });
    const detector = new AttackDetector(buffer);
    for (let n = 1; n <= 4; n++) join(detector, watch({ n }), 6, start);
    join(detector, watch({ n: 5 }), 6, start);
    expect(isUnderAttack(detector, watch({ n: 5 }), start)).toBe(false);
    expect(new AttackDetector(buffer).loginsWithoutSlot).toBe(6);
    detector.drain(start + 31_000);
    join(detector, watch({ n: 5 }), 6, start + 31_000);
    expect(isUnderAttack(detector, watch({ n: 5 }), start + 31_000)).toBe(true);
  });

  test("tells nothing of the shield before of one that has its place", () => {
    const detector = createDetector(1);
    join(detector, watch({ seconds: 10 }), 106, start);
    detector.refused(watch(), "vpn", start);
    detector.drain(start + 11_000);
    const heir = watch({ n: 2 });
    join(detector, heir, 6, start + 12_000);
    expect(detector.ageMs(heir, start + 12_000)).toBe(0);
    expect(detector.drain(start + 12_000)).toMatchObject([
      { shieldId: shieldOf(2), peak: 6, refused: {}, relaxedTo: null },
    ]);
  });

  test("frees the place of a shield that rests, though it keeps one that joins at that moment", () => {
    const detector = createDetector(2);
    for (const n of [1, 2]) join(detector, watch({ n }), 1, start);
    join(detector, watch({ n: 2 }), 6, start + 60_000);
    detector.drain(start + 60_000);
    join(detector, watch({ n: 3 }), 6, start + 60_000);
    const told = detector.drain(start + 60_000).map(({ shieldId }) => shieldId);
    expect(new Set(told)).toEqual(new Set([2, 3].map(shieldOf)));
    expect(detector.loginsWithoutSlot).toBe(0);
  });

  test("keeps a shield's place while it is under attack, however long it rests", () => {
    const detector = createDetector(4);
    join(detector, watch({ seconds: 600 }), 6, start);
    detector.drain(start + 300_000);
    expect(isUnderAttack(detector, watch(), start + 300_000)).toBe(true);
  });
});

describe("a detector as edges have it", () => {
  test("keeps what another thread has counted in the next second already", () => {
    const detector = createDetector();
    join(detector, watch(), 3, start + 1_000);
    detector.drain(start + 999);
    join(detector, watch(), 3, start + 1_000);
    expect(isUnderAttack(detector, watch(), start + 1_000)).toBe(true);
  });

  test("has places for those that are attacked, however many shields a stranger asks for", () => {
    const detector = createDetector();
    const shieldOfRandomId = (): AttackKey => attackKeyOf({ ...watch(), shieldId: randomUUID() });
    const attacked = Array.from({ length: 500 }, shieldOfRandomId);
    for (let n = 0; n < 20_000; n++) detector.login(shieldOfRandomId(), player, start);
    for (const shield of attacked) join(detector, shield, 6, start);
    for (let n = 0; n < 20_000; n++) detector.login(shieldOfRandomId(), player, start);
    expect(detector.loginsWithoutSlot).toBe(0);
    expect(attacked.every((shield) => isUnderAttack(detector, shield, start))).toBe(true);
  });
});

describe("a detector that workers share", () => {
  test("counts each of many shields exactly, though all workers meet each for the first time", async () => {
    const [threads, shields, logins] = [4, 300, 20];
    const buffer = AttackDetector.allocate();
    const keys = Array.from({ length: shields }, () =>
      attackKeyOf({ ...watch({ threshold: 0 }), shieldId: randomUUID() }),
    );
    const { workers } = await runThreads(
      threads,
      `
        const { AttackDetector } = await load("apps/edge/src/rules/attack-detector.ts");
        const detector = new AttackDetector(data.buffer);
        gate();
        for (const key of data.keys) {
          for (let n = 0; n < data.logins; n++) {
            detector.login(key, Uint8Array.of(10, thread, n, 1), data.nowMs);
          }
        }
        tell("counted");
      `,
      { buffer, keys, logins, nowMs: start },
    );
    const peaks = new Map<string | null, number>();
    for (const { shieldId, peak } of new AttackDetector(buffer).drain(start)) {
      peaks.set(shieldId, (peaks.get(shieldId) ?? 0) + peak);
    }
    expect(peaks).toEqual(new Map(keys.map(({ shieldId }) => [shieldId, threads * logins])));
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  test("counts exactly over all of them, and tells all of them of the attack", async () => {
    const buffer = AttackDetector.allocate();
    const [threads, logins, threshold] = [2, 5_000, 5];
    const { told, workers } = await runThreads<number>(
      threads,
      `
        const { AttackDetector } = await load("apps/edge/src/rules/attack-detector.ts");
        const detector = new AttackDetector(data.buffer);
        let refused = 0;
        gate();
        for (let n = 0; n < data.logins; n++) {
          const ip = Uint8Array.of(10, n >> 8, n & 0xff, thread);
          if (!detector.login(data.key, ip, data.nowMs).isUnderAttack) continue;
          detector.refused(data.key, "vpn", data.nowMs);
          refused++;
        }
        tell(refused);
      `,
      { buffer, key: watch({ threshold }), logins, nowMs: start },
    );
    const refused = told.reduce((sum, count) => sum + count, 0);
    // Each other thread can have one login up to the threshold that is counted, but asks for the
    // status only after the attack has begun.
    expect(refused).toBeGreaterThanOrEqual(threads * logins - threshold);
    expect(refused).toBeLessThan(threads * logins - threshold + threads);
    const detector = new AttackDetector(buffer);
    expect(isUnderAttack(detector, watch(), start)).toBe(true);
    expect(detector.drain(start)).toMatchObject([
      { shieldId: shieldOf(1), peak: threads * logins, refused: { vpn: refused } },
    ]);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});
