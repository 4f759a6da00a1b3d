import { expect, test } from "vitest";
import { minutesAndSeconds, secondsLeft } from "./countdown.ts";

test("counts down to 0 and stays there; a clock set back does not extend the lock", () => {
  expect(secondsLeft(120, 1_000, 1_000)).toBe(120);
  expect(secondsLeft(120, 1_000, 1_001)).toBe(120);
  expect(secondsLeft(120, 1_000, 60_500)).toBe(61);
  expect(secondsLeft(120, 1_000, 121_000)).toBe(0);
  expect(secondsLeft(120, 1_000, 999_000)).toBe(0);
  expect(secondsLeft(120, 1_000, -999_000)).toBe(120);
});

test.each([
  [0, "0:00"],
  [5, "0:05"],
  [65, "1:05"],
  [120, "2:00"],
])("%i seconds are shown as %s", (seconds, shown) => {
  expect(minutesAndSeconds(seconds)).toBe(shown);
});
