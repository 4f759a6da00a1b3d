import { describe, expect, test } from "vitest";
import {
  LevelRelief,
  regularsFailedMax,
  relaxed,
  type ReliefRound,
  reliefWindowMs,
} from "./relief.ts";

const startMs = 1_800_000_000_000;

const round: ReliefRound = { shieldId: "shield", attack: 0, steps: 0 };

function create(): LevelRelief {
  return new LevelRelief(LevelRelief.allocate(new Uint8Array(8), 1_024));
}

function failAll(relief: LevelRelief, count: number, changes: Partial<ReliefRound> = {}) {
  return Array.from({ length: count }, (_, n) =>
    relief.failed({ ...round, ...changes }, `Player${n}`, startMs + n),
  );
}

const justNow = [...Array.from({ length: regularsFailedMax - 1 }, () => false), true];

describe("relief from false positives", () => {
  test("regulars who fail in numbers relax the level by one step, and it is said once", () => {
    const relief = create();
    expect(failAll(relief, regularsFailedMax)).toEqual(justNow);
    expect(failAll(relief, regularsFailedMax)).not.toContain(true);
  });

  test("another shield, the next attack and the next step count anew", () => {
    const relief = create();
    failAll(relief, regularsFailedMax);
    for (const other of [{ shieldId: "another" }, { attack: 1 }, { steps: 1 }]) {
      expect(failAll(relief, regularsFailedMax, other)).toEqual(justNow);
    }
  });

  test("one regular who fails again and again relaxes nothing", () => {
    const relief = create();
    const said = Array.from({ length: 50 }, (_, n) => relief.failed(round, "Steve", startMs + n));
    expect(said).not.toContain(true);
  });

  test("failures that lie further apart than the window relax nothing", () => {
    const relief = create();
    const said = Array.from({ length: 50 }, (_, n) =>
      relief.failed(round, `Player${n}`, startMs + n * reliefWindowMs),
    );
    expect(said).not.toContain(true);
  });

  test("after two steps it relaxes no further", () => {
    expect(failAll(create(), 50, { steps: 2 })).not.toContain(true);
  });

  test.each([
    ["extreme", 1, "high"],
    ["high", 1, "medium"],
    ["high", 2, "low"],
    ["medium", 2, "low"],
    ["low", 1, "low"],
    ["disabled", 1, "disabled"],
    ["high", 0, "high"],
  ] as const)("%s relaxed by %d acts as %s", (level, steps, acts) => {
    expect(relaxed(level, steps)).toBe(acts);
  });
});
