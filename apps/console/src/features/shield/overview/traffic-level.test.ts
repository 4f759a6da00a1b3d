import { expect, test } from "vitest";
import { trafficLevel } from "./traffic-level.ts";

test("owners are warned at 80 and at 100 per cent, and never without a limit", () => {
  const levelOf = (percent: number | null) => trafficLevel(percent, false);
  expect([null, 0, 79.9].map(levelOf)).toEqual(["calm", "calm", "calm"]);
  expect([80, 99.9].map(levelOf)).toEqual(["high", "high"]);
  expect(levelOf(100)).toBe("full");
});

test("refused players are told apart from a limit that is only reached", () => {
  expect(trafficLevel(100, true)).toBe("used_up");
});
