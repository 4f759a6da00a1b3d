import { loginsPerShieldMax } from "@palisade/contract/edge/plain-values";
import { sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { computedAttackTimes, recordedAttackTimes } from "./attack-times.ts";
import type { RecordedAttack } from "./replay.repository.ts";
import { attemptOf, type ReplayedAttempt } from "./replayed-login.ts";

const start = Date.parse("2030-01-15T12:00:00Z");
const shieldId = "0190a000-0000-7000-8000-000000000001";

function at(
  second: number,
  { edge = "one", leftOut = 0, attempt = null }: Record<string, unknown> = {},
): ReplayedAttempt {
  return attemptOf({
    id: "1",
    at: new Date(start + second * 1_000),
    edgeId: String(edge),
    verdict: "joined",
    shadow: false,
    player: "Alex",
    ip: "203.0.113.7",
    country: null,
    asn: null,
    protocol: 765,
    trace: "7K3M9QXW",
    facts: { left_out: String(leftOut) },
    attempt: attempt as ReplayedAttempt["entry"]["attempt"],
  });
}

/** Peaks of each second from `start` on. */
function attackOf(peaks: readonly number[], endedAt: number | null = peaks.length): RecordedAttack {
  const from = start / 1_000;
  return {
    edgeId: "one",
    startedAt: new Date(start),
    endedAt: endedAt === null ? null : new Date(start + endedAt * 1_000),
    course: { from, step: 1, logins: [...peaks], peaks: [...peaks], admitted: peaks.map(() => 0) },
  };
}

const underThreshold = (attack_threshold: number | null, attacks: readonly RecordedAttack[] = []) =>
  computedAttackTimes(
    shieldId,
    { ...sampleShield().mitigation, attack_threshold, attack_duration_ms: 0 },
    attacks,
  );

describe("recorded attacks", () => {
  const times = recordedAttackTimes([attackOf([9, 9], 20)]);

  test("are what the edge has logged with the login", () => {
    const relaxed = times.statusAt(at(500, { attempt: { attack: "high" } }));
    expect(relaxed).toEqual({ isUnderAttack: true, relaxedTo: "high" });
    expect(times.statusAt(at(5, { attempt: {} })).isUnderAttack).toBe(false);
  });

  test("are those of the edge, for a login of which nothing was logged", () => {
    const seen = [-1, 0, 20, 21].map((second) => times.statusAt(at(second)).isUnderAttack);
    expect(seen).toEqual([false, true, true, false]);
    expect(times.statusAt(at(5, { edge: "two" })).isUnderAttack).toBe(false);
  });
});

describe("attacks under another threshold", () => {
  test("begin with the first login above it, and last ten seconds longer than the last such second", () => {
    const times = underThreshold(2);
    const seen = [0, 0.1, 0.2, 10.9, 11].map((second) => times.statusAt(at(second)).isUnderAttack);
    expect(seen).toEqual([false, false, true, true, false]);
  });

  test("count what a flood left out of the log, in the last second that filled it", () => {
    const times = underThreshold(25);
    for (let n = 0; n < loginsPerShieldMax; n++) {
      expect(times.statusAt(at(n / 100)).isUnderAttack).toBe(false);
    }
    expect(times.statusAt(at(3, { leftOut: 9 })).isUnderAttack).toBe(true);
    expect(times.statusAt(at(11, { leftOut: 9 })).isUnderAttack).toBe(false);
    expect(times.statusAt(at(12)).isUnderAttack).toBe(false);
  });

  test("are found in the courses that edges have told, by each edge for itself", () => {
    const attacks = [attackOf([3, 90, 3])];
    expect(underThreshold(50, attacks).statusAt(at(0.5)).isUnderAttack).toBe(false);
    expect(underThreshold(50, attacks).statusAt(at(11.5)).isUnderAttack).toBe(true);
    expect(underThreshold(50, attacks).statusAt(at(12.5)).isUnderAttack).toBe(false);
    expect(underThreshold(50, attacks).statusAt(at(5, { edge: "two" })).isUnderAttack).toBe(false);
    expect(underThreshold(95, attacks).statusAt(at(5)).isUnderAttack).toBe(false);
  });

  test("are none without a threshold", () => {
    const times = underThreshold(null, [attackOf([99])]);
    expect(times.statusAt(at(0, { attempt: { attack: true } })).isUnderAttack).toBe(false);
  });
});
