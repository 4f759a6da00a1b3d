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
      fc.property(fc.nat(20_000), fc.nat(5_000), fc.nat(9_000), (delayMs, startMs, busyMs) => {
        const { clock, wheel, moveTo } = wheelAt(startMs);
        clock.nowMs += busyMs;
        const from = clock.nowMs;
        const expiredAtMs: number[] = [];
        wheel.schedule({ expire: () => void expiredAtMs.push(clock.nowMs) }, delayMs);
        while (clock.nowMs < from + delayMs + 500) moveTo(clock.nowMs + 50);
        const [atMs = -1, ...more] = expiredAtMs;
        expect(more).toEqual([]);
        expect(atMs - from).toBeGreaterThanOrEqual(delayMs);
        expect(atMs - from).toBeLessThanOrEqual(delayMs + 150);
        expect(wheel.size).toBe(0);
      }),
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
