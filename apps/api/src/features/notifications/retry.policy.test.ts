import { expect, test } from "vitest";
import { nextTryAt, retryPausesMs } from "./retry.policy.ts";

const now = new Date("2026-11-01T12:00:00Z");
const dayMs = 86_400_000;

test("a message is tried for about three days, with longer and longer pauses", () => {
  const total = retryPausesMs.reduce<number>((sum, pause) => sum + pause, 0);
  expect(total / dayMs).toBeGreaterThan(3);
  expect(total / dayMs).toBeLessThan(3.5);
  expect(retryPausesMs.toSorted((a, b) => a - b)).toEqual([...retryPausesMs]);
  const next = retryPausesMs.map((_, index) => nextTryAt(index + 1, now, 0.5));
  expect(next.map((at) => (at?.getTime() ?? 0) - now.getTime())).toEqual([...retryPausesMs]);
  expect(nextTryAt(retryPausesMs.length + 1, now, 0.5)).toBeNull();
});

test("pauses differ by a tenth, so that receivers are not asked for everything at once", () => {
  const pauseOf = (random: number) => (nextTryAt(2, now, random)?.getTime() ?? 0) - now.getTime();
  expect([pauseOf(0), pauseOf(1)]).toEqual([270_000, 330_000]);
});

test("a receiver that names a later time is asked then, within a day", () => {
  const after = (header: string) =>
    (nextTryAt(1, now, 0.5, header)?.getTime() ?? 0) - now.getTime();
  expect(after("120")).toBe(120_000);
  expect(after("2")).toBe(5_000);
  expect(after("999999")).toBe(dayMs);
  expect(after("Wed, 21 Oct 2037 07:28:00 GMT")).toBe(5_000);
});
