import { describe, expect, test } from "vitest";
import { timeTicks } from "./time-ticks.ts";

const hourMs = 3_600_000;
const from = new Date(2026, 10, 25, 12, 7).getTime();

describe("the ticks of a time axis", () => {
  test.each([
    [hourMs, 10],
    [24 * hourMs, 180],
    [12 * hourMs, 120],
  ])("of %d ms are round times of the reader's zone", (length, minutes) => {
    const { times, areDays } = timeTicks(from, from + length, 8);
    expect(areDays).toBe(false);
    expect(times.length).toBeGreaterThan(3);
    for (const time of times) {
      const date = new Date(time);
      expect((date.getHours() * 60 + date.getMinutes()) % minutes).toBe(0);
    }
  });

  test("are midnights where the period is longer than some days", () => {
    for (const days of [7, 30, 200]) {
      const { times, areDays } = timeTicks(from, from + days * 24 * hourMs, 8);
      expect(areDays).toBe(true);
      expect(times.length).toBeGreaterThan(2);
      expect(times.length).toBeLessThanOrEqual(9);
      expect(times.every((time) => new Date(time).getHours() === 0)).toBe(true);
    }
  });

  test("stay the same while time goes on", () => {
    const week = 7 * 24 * hourMs;
    const later = timeTicks(from + hourMs, from + week + hourMs, 4).times;
    const sooner = timeTicks(from, from + week, 4).times;
    expect(later.filter((time) => sooner.includes(time)).length).toBe(later.length);
  });

  test("a period without length has at most one", () => {
    expect(timeTicks(from, from, 8).times.length).toBeLessThanOrEqual(1);
  });
});
