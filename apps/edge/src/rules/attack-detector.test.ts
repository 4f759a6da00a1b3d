import { attackRulesOf } from "@palisade/login-rules/attack-rules";
import { sampleShield } from "@palisade/testing/sample-shield";
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
import { edgeAttackRules } from "./attack-state.ts";
import { attackKeyOf } from "./attack-table.ts";
import { estimateSources, sourceRegisters } from "./hyperloglog.ts";

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
