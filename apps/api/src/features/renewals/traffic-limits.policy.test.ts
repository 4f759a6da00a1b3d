import { describe, expect, test } from "vitest";
import { monthOf, trafficState } from "./traffic-limits.policy.ts";

const now = new Date("2031-02-10T12:00:00Z");
const days = (count: number) => new Date(now.getTime() - count * 86_400_000);
const nothing = { told: 0, exceededAt: null } as const;

describe("the traffic of a month", () => {
  test.each([
    [799, nothing, { told: 0, exceededAt: null, isUsedUp: false }],
    [800, nothing, { told: 80, exceededAt: null, isUsedUp: false }],
    [999, nothing, { told: 80, exceededAt: null, isUsedUp: false }],
    [1_000, nothing, { told: 100, exceededAt: now, isUsedUp: false }],
    [
      1_999,
      { told: 100, exceededAt: days(4.9) },
      { told: 100, exceededAt: days(4.9), isUsedUp: false },
    ],
    [1_001, { told: 100, exceededAt: days(5) }, { told: 100, exceededAt: days(5), isUsedUp: true }],
    [2_000, nothing, { told: 100, exceededAt: now, isUsedUp: true }],
    [999, { told: 100, exceededAt: days(6) }, { told: 80, exceededAt: null, isUsedUp: false }],
  ] as const)("with %i of 1,000 and before %j", (bytes, before, state) => {
    expect(trafficState({ bytes, limitBytes: 1_000 }, before, now)).toEqual(state);
  });

  test("has no end where the plan has no limit", () => {
    const before = { told: 100, exceededAt: days(9) } as const;
    const state = trafficState({ bytes: 9e15, limitBytes: null }, before, now);
    expect(state).toEqual({ told: 0, exceededAt: null, isUsedUp: false });
  });

  test("is counted by UTC", () => {
    expect(monthOf(new Date("2031-03-01T00:30:00+01:00"))).toBe("2031-02");
  });
});
