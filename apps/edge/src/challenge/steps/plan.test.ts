import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { lengthOf, planOf, stepAt } from "./plan.ts";

const stepsOf = (challenge: "gravity" | "captcha" | "protocol", protocol: number): string[] => {
  const plan = planOf(challenge, { protocol, random: randomInt });
  return Array.from({ length: lengthOf(plan) }, (_, place) => stepAt(plan, place) ?? "");
};

test("a captcha is the last step, and comes after all that the version answers by itself", () => {
  const physics = ["fall", "held-item", "platform", "teleports"];
  const cases: readonly [protocol: number, more: readonly string[]][] = [
    [47, []],
    [107, ["vehicle"]],
    [764, ["vehicle"]],
    [765, ["resource-pack", "vehicle"]],
    [99_999, ["resource-pack", "vehicle"]],
  ];
  for (const [protocol, more] of cases) {
    expect(stepsOf("gravity", protocol).toSorted()).toEqual(physics);
    const plan = stepsOf("captcha", protocol);
    expect(plan.pop()).toBe("captcha");
    expect(plan.toSorted()).toEqual([...physics, ...more].toSorted());
  }
  expect(stepsOf("protocol", 47)).toEqual([]);
  expect(stepAt(planOf("captcha", { protocol: 765, random: randomInt }), 7)).toBeUndefined();
});

test("the order differs from player to player", () => {
  const orders = Array.from({ length: 200 }, () => stepsOf("gravity", 765).join());
  expect(new Set(orders).size).toBeGreaterThan(5);
});
