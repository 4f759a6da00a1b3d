import { describe, expect, test } from "vitest";
import { LevelRelief, regularsFailedMax, relaxed, reliefWindowMs } from "./relief.ts";

function failAll(relief: LevelRelief, count: number, fromMs: number, prefix = "Player"): boolean[] {
  return Array.from({ length: count }, (_, n) =>
    relief.failed("shield", `${prefix}${n}`, fromMs + n),
  );
}

describe("relief from false positives", () => {
  test("regulars who fail in numbers relax the level by one step, and it is said once", () => {
    const relief = new LevelRelief();
    const said = failAll(relief, regularsFailedMax, 0);
    expect(said).toEqual([...Array.from({ length: regularsFailedMax - 1 }, () => false), true]);
    expect(relief.steps("shield")).toBe(1);
    expect(relief.steps("another")).toBe(0);
  });

  test("one regular who fails again and again relaxes nothing", () => {
    const relief = new LevelRelief();
    const said = Array.from({ length: 50 }, (_, n) => relief.failed("shield", "Steve", n));
    expect(said).not.toContain(true);
  });

  test("failures that lie further apart than the window relax nothing", () => {
    const relief = new LevelRelief();
    for (let n = 0; n < 50; n++) relief.failed("shield", `Player${n}`, n * reliefWindowMs);
    expect(relief.steps("shield")).toBe(0);
  });

  test("after two steps it relaxes no further; with the attack's end the level is the owner's", () => {
    const relief = new LevelRelief();
    for (const prefix of ["a", "b", "c"]) failAll(relief, regularsFailedMax, 0, prefix);
    expect(relief.steps("shield")).toBe(2);
    relief.ended("shield");
    expect(relief.steps("shield")).toBe(0);
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
