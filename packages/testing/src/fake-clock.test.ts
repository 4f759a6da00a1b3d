import { expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.ts";

test("the fake clock stands still until it is moved", () => {
  const clock = createFakeClock(new Date("2031-01-31T00:00:00Z"));
  expect(clock.now()).toEqual(new Date("2031-01-31T00:00:00Z"));
  clock.advance(1_500);
  expect(clock.nowMs()).toBe(Date.parse("2031-01-31T00:00:01.500Z"));
  clock.set(new Date(0));
  expect(clock.now()).toEqual(new Date(0));
});
