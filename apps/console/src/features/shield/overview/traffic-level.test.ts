import { expect, test } from "vitest";
import { trafficLevel } from "./traffic-level.ts";

test("owners are warned at 80 and at 100 per cent, and never without a limit", () => {
  expect([null, 0, 79.9].map(trafficLevel)).toEqual(["calm", "calm", "calm"]);
  expect([80, 99.9].map(trafficLevel)).toEqual(["high", "high"]);
  expect(trafficLevel(100)).toBe("full");
});
