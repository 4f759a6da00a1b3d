import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { TimerWheel } from "./timer-wheel.ts";

function wheelAt(startMs: number) {
  const clock = { nowMs: startMs };
  const log: string[] = [];
  const wheel = new TimerWheel(() => clock.nowMs);
  const item = (name: string) => ({ expire: () => void log.push(`${name} ${clock.nowMs}`) });
  const moveTo = (ms: number): void => {
    clock.nowMs = ms;
    wheel.advance();
  };
  return { clock, log, wheel, item, moveTo };
}

describe("timer wheel", () => {
  test("nothing expires early, everything within a tick, however late the last round was", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20_000), { minLength: 1, maxLength: 4 }),
        fc.nat(5_000),
        fc.nat(9_000),
        fc.integer({ min: 50, max: 7_000 }),
        (delaysMs, startMs, busyMs, pauseMs) => {
          const { clock, wheel, moveTo } = wheelAt(startMs);
          clock.nowMs += busyMs;
          const endsMs: number[] = [];
          const expired: { dueMs: number; atMs: number }[] = [];
          for (const delayMs of delaysMs) {
            const dueMs = clock.nowMs + delayMs;
            endsMs.push(dueMs);
            wheel.schedule(
              { expire: () => void expired.push({ dueMs, atMs: clock.nowMs }) },
              delayMs,
            );
            moveTo(clock.nowMs + pauseMs);
          }
          while (clock.nowMs < Math.max(...endsMs) + 500) moveTo(clock.nowMs + 50);
          expect(expired.map(({ dueMs }) => dueMs).toSorted((a, b) => a - b)).toEqual(
            endsMs.toSorted((a, b) => a - b),
          );
          for (const { dueMs, atMs } of expired) {
            expect(atMs).toBeGreaterThanOrEqual(dueMs);
            expect(atMs).toBeLessThanOrEqual(dueMs + Math.max(150, pauseMs + 100));
          }
          expect(wheel.size).toBe(0);
        },
      ),
    );
  });

  test("a deadline set again replaces the first, a cancelled one never comes", () => {
    const { log, wheel, item, moveTo } = wheelAt(0);
    const moved = item("moved");
    const cancelled = item("cancelled");
    wheel.schedule(moved, 100);
    wheel.schedule(cancelled, 100);
    wheel.schedule(moved, 5_000);
    wheel.cancel(cancelled);
    moveTo(4_000);
    expect(log).toEqual([]);
    moveTo(6_000);
    expect(log).toEqual(["moved 6000"]);
  });

  test("a clock far ahead expires all that is due and nothing else", () => {
    const { log, wheel, item, moveTo } = wheelAt(1_000_000);
    wheel.schedule(item("near"), 60_000);
    wheel.schedule(item("far"), 9_000_000);
    moveTo(2_000_000);
    expect(log).toEqual(["near 2000000"]);
  });

  test("an expiring entry may set a deadline again", () => {
    const { log, wheel, moveTo } = wheelAt(0);
    const item = {
      expire: () => {
        if (log.push("again") < 3) wheel.schedule(item, 100);
      },
    };
    wheel.schedule(item, 100);
    for (let ms = 0; ms < 2_000; ms += 50) moveTo(ms);
    expect(log.length).toBe(3);
  });
});

describe("a wheel that runs", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function running() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const wheel = new TimerWheel(Date.now);
    wheel.run();
    const expired: number[] = [];
    return { wheel, expired, item: { expire: () => void expired.push(Date.now()) } };
  }

  test("has a timer only while something is scheduled", () => {
    const { wheel, expired, item } = running();
    for (let round = 1; round < 3; round++) {
      expect(vi.getTimerCount()).toBe(0);
      wheel.schedule(item, 250);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(60_000);
      expect(expired).toHaveLength(round);
    }
    wheel.schedule(item, 250);
    wheel.cancel(item);
    vi.advanceTimersByTime(1_000);
    expect([vi.getTimerCount(), expired.length]).toEqual([0, 2]);
  });

  test("wakes its thread seldom while all deadlines are far away, and still meets them", () => {
    const { wheel, expired, item } = running();
    const advance = vi.spyOn(wheel, "advance");
    const from = Date.now();
    wheel.schedule(item, 600_000);
    vi.advanceTimersByTime(590_000);
    expect(advance.mock.calls.length).toBeLessThan(200);
    vi.advanceTimersByTime(10_200);
    const [atMs = 0] = expired;
    expect(atMs - from).toBeGreaterThanOrEqual(600_000);
    expect(atMs - from).toBeLessThanOrEqual(600_200);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("meets a deadline that is set close while others are far away", () => {
    const { wheel, expired, item } = running();
    const far = { expire: () => undefined };
    wheel.schedule(far, 600_000);
    vi.advanceTimersByTime(60_000);
    const from = Date.now();
    wheel.schedule(item, 250);
    vi.advanceTimersByTime(500);
    const [atMs = 0] = expired;
    expect(atMs - from).toBeLessThanOrEqual(400);
    wheel.cancel(far);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("expires what was scheduled before it ran, and nothing once it has stopped", () => {
    const { wheel, expired, item } = running();
    wheel.stop();
    wheel.schedule(item, 100);
    vi.advanceTimersByTime(1_000);
    expect(expired).toEqual([]);
    wheel.run();
    vi.advanceTimersByTime(1_000);
    expect([expired.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
