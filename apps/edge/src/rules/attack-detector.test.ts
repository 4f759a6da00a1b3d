import { randomUUID } from "node:crypto";
import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import { sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { runThreads } from "@palisade/testing/threads";
import { AttackDetector } from "./attack-detector.ts";
import { attackRulesOf } from "@palisade/login-rules/attack-rules";
import { edgeAttackRules } from "./attack-state.ts";
import { type AttackKey, attackKeyOf } from "./attack-table.ts";
import { estimateSources, sourceRegisters } from "./hyperloglog.ts";

const player = Uint8Array.of(203, 0, 113, 7);
/** Some time on a clock that has run for a while. */
const start = 7_000_000_000;

function shieldOf(n: number): string {
  return `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

interface WatchWish {
  readonly n?: number;
  readonly threshold?: number;
  readonly seconds?: number;
  readonly antibot?: AntibotLevel;
}

function watch({ n = 1, threshold = 5, seconds = 30, antibot = "extreme" }: WatchWish = {}) {
  return attackKeyOf({ shieldId: shieldOf(n), threshold, seconds, antibot });
}

function createDetector(slots?: number): AttackDetector {
  return new AttackDetector(AttackDetector.allocate(slots === undefined ? {} : { slots }));
}

/** This many logins in one millisecond, each from a network of its own. */
function join(detector: AttackDetector, of: AttackKey, logins: number, nowMs: number): void {
  for (let n = 0; n < logins; n++)
    detector.login(of, Uint8Array.of(10, n >> 8, n & 0xff, 1), nowMs);
}

function isUnderAttack(detector: AttackDetector, of: AttackKey, nowMs: number): boolean {
  return detector.status(of, nowMs).isUnderAttack;
}

describe("an attack", () => {
  test("begins with the first login above the threshold, for that shield alone", () => {
    const detector = createDetector();
    const [one, other] = [watch(), watch({ n: 2 })];
    join(detector, other, 5, start);
    join(detector, one, 5, start);
    expect(isUnderAttack(detector, one, start)).toBe(false);
    expect(detector.login(one, player, start + 999)).toEqual({
      isUnderAttack: true,
      relaxedTo: null,
    });
    expect(isUnderAttack(detector, other, start)).toBe(false);
  });

  test("as many logins in two seconds are none", () => {
    const detector = createDetector();
    join(detector, watch(), 5, start + 999);
    join(detector, watch(), 5, start + 1_000);
    expect(isUnderAttack(detector, watch(), start + 1_000)).toBe(false);
  });

  test.each([
    [30_000, 30],
    [1_500, 10],
    [0, 10],
    [1_800_000, 1_800],
  ])("set to last %d ms it lasts %d s after the last second in excess", (ms, seconds) => {
    const { mitigation } = sampleShield();
    const config = { ...mitigation, attack_threshold: 5, attack_duration_ms: ms };
    const rules = attackRulesOf(shieldOf(1), config);
    if (rules === undefined) throw new Error("no rules");
    const detector = createDetector();
    join(detector, attackKeyOf(rules), 6, start);
    join(detector, attackKeyOf(rules), 6, start + 2_500);
    expect(isUnderAttack(detector, attackKeyOf(rules), start + 2_000 + seconds * 1_000 + 999)).toBe(
      true,
    );
    expect(isUnderAttack(detector, attackKeyOf(rules), start + 3_000 + seconds * 1_000)).toBe(
      false,
    );
  });

  test("there is none without a threshold, and of the edge as a whole above its own", () => {
    const { mitigation } = sampleShield();
    expect(attackRulesOf(shieldOf(1), { ...mitigation, attack_threshold: null })).toBeUndefined();
    const detector = createDetector();
    const edge = attackKeyOf(edgeAttackRules);
    join(detector, edge, edgeAttackRules.threshold, start);
    expect(detector.drain(start)).toEqual([]);
    join(detector, edge, 1, start);
    expect(detector.drain(start)).toMatchObject([{ shieldId: null, peak: 1_001 }]);
  });

  test("is told with peak, networks and refusals, each once", () => {
    const detector = createDetector();
    join(detector, watch(), 106, start);
    detector.refused(watch(), "vpn", start);
    detector.refused(watch(), "vpn", start);
    detector.refused(watch(), "rate", start);
    const [update] = detector.drain(start + 500);
    expect(update).toMatchObject({
      shieldId: shieldOf(1),
      isOver: false,
      peak: 106,
      refused: { vpn: 2, rate: 1 },
      relaxedTo: null,
    });
    expect(update?.registers.some((rank) => rank > 0)).toBe(true);
    expect(detector.drain(start + 600)).toMatchObject([{ isOver: false, peak: 0, refused: {} }]);
    expect(detector.drain(start + 31_000)).toMatchObject([{ isOver: true }]);
    expect(detector.drain(start + 31_000)).toEqual([]);
  });

  test("refusals in quiet times belong to no attack", () => {
    const detector = createDetector();
    join(detector, watch(), 5, start);
    detector.refused(watch(), "vpn", start);
    join(detector, watch(), 1, start);
    expect(detector.drain(start)).toMatchObject([{ refused: {} }]);
  });

  test("is relaxed once by all who saw the same level, and each attack has its number", () => {
    const detector = createDetector();
    join(detector, watch(), 6, start);
    const number = detector.attackNumber(watch());
    expect(detector.relax(watch(), null, "high", start)).toBe(true);
    expect(detector.relax(watch(), null, "high", start)).toBe(false);
    expect(detector.relax(watch(), "high", "medium", start)).toBe(true);
    detector.drain(start + 31_000);
    expect(detector.attackNumber(watch())).not.toBe(number);
  });

  test("relaxes to a level until its end, and only while it lasts", () => {
    const detector = createDetector();
    expect(detector.relax(watch(), null, "low", start)).toBe(false);
    join(detector, watch(), 6, start);
    expect(detector.relax(watch(), null, "medium", start)).toBe(true);
    expect(detector.status(watch(), start + 1_000).relaxedTo).toBe("medium");
    expect(detector.drain(start + 1_000)).toMatchObject([{ relaxedTo: "medium" }]);
    expect(detector.drain(start + 31_000)).toMatchObject([{ isOver: true, relaxedTo: "medium" }]);
    join(detector, watch(), 6, start + 40_000);
    expect(detector.status(watch(), start + 40_000)).toEqual({
      isUnderAttack: true,
      relaxedTo: null,
    });
  });

  test("ends when the owner turns detection off, and sooner when they shorten it", () => {
    const detector = createDetector();
    join(detector, watch(), 6, start);
    detector.adopt(watch(), watch({ seconds: 10 }));
    expect(isUnderAttack(detector, watch(), start + 10_999)).toBe(true);
    expect(isUnderAttack(detector, watch(), start + 11_000)).toBe(false);
    join(detector, watch(), 6, start + 20_000);
    detector.adopt(watch(), undefined);
    expect(isUnderAttack(detector, watch(), start + 20_000)).toBe(false);
    expect(detector.drain(start + 20_000)).toEqual([]);
  });

  test("knows for how long it lasts, from its first second to its end", () => {
    const detector = createDetector();
    expect(detector.ageMs(watch(), start)).toBe(0);
    join(detector, watch(), 6, start);
    join(detector, watch(), 6, start + 20_000);
    expect(detector.ageMs(watch(), start + 40_000)).toBe(40_000);
    detector.drain(start + 60_000);
    join(detector, watch(), 6, start + 70_000);
    expect(detector.ageMs(watch(), start + 75_000)).toBe(5_000);
  });

  test("acts with the owner's level again as soon as they set another", () => {
    const detector = createDetector();
    join(detector, watch(), 6, start);
    const number = detector.attackNumber(watch());
    detector.relax(watch(), null, "high", start);
    detector.adopt(watch(), watch({ threshold: 7 }));
    expect(detector.status(watch(), start).relaxedTo).toBe("high");
    expect(detector.attackNumber(watch())).toBe(number);
    detector.adopt(watch(), watch({ antibot: "medium" }));
    expect(detector.status(watch(), start)).toEqual({ isUnderAttack: true, relaxedTo: null });
    expect(detector.attackNumber(watch())).not.toBe(number);
  });

  test("a higher threshold ends nothing at once and opens nothing anew", () => {
    const detector = createDetector();
    join(detector, watch(), 6, start);
    const higher = watch({ threshold: 50 });
    detector.adopt(watch(), higher);
    join(detector, higher, 40, start + 5_000);
    expect(isUnderAttack(detector, higher, start + 30_999)).toBe(true);
    expect(isUnderAttack(detector, higher, start + 31_000)).toBe(false);
  });

  test("a clock that is set back neither ends it nor lets it last longer than its time", () => {
    const detector = createDetector();
    join(detector, watch(), 6, start);
    const back = start - 3_600_000;
    expect(detector.login(watch(), player, back).isUnderAttack).toBe(true);
    expect(isUnderAttack(detector, watch(), back + 29_000)).toBe(true);
    expect(isUnderAttack(detector, watch(), back + 32_000)).toBe(false);
    join(detector, watch(), 6, back + 40_000);
    expect(isUnderAttack(detector, watch(), back + 40_000)).toBe(true);
  });
});

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

describe("a flood of datagrams", () => {
  const registers = sourceRegisters().fill(3, 0, 40);

  /** The threshold of the sample's five logins. */
  const threshold = 1_000;

  test("is an attack above a hundred times the threshold of logins, and above a thousand at least", () => {
    const detector = createDetector();
    expect(detector.flood(watch(), threshold, registers, start)).toBe(false);
    expect(detector.flood(watch(), threshold + 1, registers, start + 1_000)).toBe(true);
    const strict = watch({ n: 2, threshold: 100 });
    expect(detector.flood(strict, 10_000, registers, start)).toBe(false);
    expect(detector.flood(strict, 10_001, registers, start + 1_000)).toBe(true);
  });

  test("makes no check of logins stricter, and is told with its seconds, networks and peak", () => {
    const detector = createDetector();
    detector.flood(watch(), 9_000, registers, start);
    detector.flood(watch(), 400, registers, start + 2_000);
    join(detector, watch(), 2, start + 2_000);
    expect(isUnderAttack(detector, watch(), start + 2_000)).toBe(false);
    const [update] = detector.drain(start + 2_500);
    expect(update).toMatchObject({ isOver: false, peak: 0, datagramsPeak: 9_000 });
    expect(update?.datagrams.slice(-4)).toEqual([0, 9_000, 0, 400]);
    expect(update?.logins.slice(-2)).toEqual([0, 2]);
    expect(estimateSources(update?.registers ?? sourceRegisters())).toBeGreaterThan(30);
  });

  test("is one attack with the logins of its time, which ends when both are over", () => {
    const detector = createDetector();
    detector.flood(watch(), 9_000, registers, start);
    join(detector, watch(), 6, start + 20_000);
    expect(isUnderAttack(detector, watch(), start + 20_000)).toBe(true);
    expect(detector.drain(start + 40_000)).toMatchObject([{ isOver: false }]);
    expect(detector.flood(watch(), 100, registers, start + 40_000)).toBe(false);
    detector.flood(watch(), 9_000, registers, start + 45_000);
    expect(detector.drain(start + 60_000)).toMatchObject([{ isOver: false, datagramsPeak: 9_000 }]);
    expect(isUnderAttack(detector, watch(), start + 60_000)).toBe(false);
    expect(detector.drain(start + 76_000)).toMatchObject([{ isOver: true }]);
    expect(detector.drain(start + 76_000)).toEqual([]);
    join(detector, watch(), 6, start + 80_000);
    expect(detector.drain(start + 80_000)).toMatchObject([{ began: start / 1_000 + 80 }]);
  });

  test("keeps the shield's place, and ends when the owner turns detection off", () => {
    const detector = createDetector(1);
    detector.flood(watch(), 9_000, registers, start);
    join(detector, watch({ n: 2 }), 9, start);
    expect(detector.loginsWithoutSlot).toBe(9);
    detector.adopt(watch(), undefined);
    expect(detector.drain(start)).toEqual([]);
    expect(detector.flood(watch(), 900, registers, start)).toBe(false);
  });
});

describe("the course", () => {
  test("is the exact number of logins of each of the latest seconds, the running one last", () => {
    const detector = createDetector();
    join(detector, watch(), 3, start);
    join(detector, watch(), 9, start + 1_000);
    join(detector, watch(), 1, start + 3_500);
    const [update] = detector.drain(start + 4_100);
    expect(update).toMatchObject({ second: 7_000_004, began: 7_000_001, peak: 9 });
    expect(update?.logins.slice(-6)).toEqual([0, 3, 9, 0, 1, 0]);
  });

  test("has nothing of a shield that had the slot before", () => {
    const detector = createDetector(1);
    join(detector, watch(), 4, start);
    join(detector, watch(), 1, start + 1_000);
    join(detector, watch({ n: 2 }), 9, start + 2_000);
    const [update] = detector.drain(start + 2_100);
    expect(update?.shieldId).toBe(shieldOf(2));
    expect(update?.logins.slice(-3)).toEqual([0, 0, 9]);
  });
});
