import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
