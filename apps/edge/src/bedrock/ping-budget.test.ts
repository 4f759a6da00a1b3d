import { describe, expect, test } from "vitest";
import {
  pingsPerShieldMax,
  PongBudget,
  PongBudgets,
  pongBytesPerSecond,
  pongFactorMax,
} from "./ping-budget.ts";

/** Bytes of answers to so many pings. */
function answered(budget: PongBudget, pings: number, pingBytes: number): number {
  const bytes = { long: 373, short: 99, none: 0 };
  let sum = 0;
  for (let ping = 0; ping < pings; ping += 1) {
    sum += bytes[budget.take(pingBytes, bytes.long, bytes.short)];
  }
  return sum;
}

describe("the answers to pings of a shield", () => {
  test.each([25, 33])(
    "are at most three times a flood of pings of %i bytes, whenever it begins and ends",
    (pingBytes) => {
      for (const begins of [0, 500, 1_400, 19_000]) {
        const budget = new PongBudget();
        let bytes = 0;
        const seconds = [begins, 20_000, 20_000, 20_000, 900];
        for (const pings of seconds) {
          bytes += answered(budget, pings, pingBytes);
          budget.tick();
        }
        const most = pongFactorMax * pingBytes * seconds.reduce((sum, pings) => sum + pings, 0);
        expect(bytes).toBeLessThanOrEqual(most);
        expect(bytes).toBeGreaterThan(0.95 * most);
      }
    },
  );

  test("are whole for as many players as look at a busy server, second after second", () => {
    const budget = new PongBudget();
    for (let second = 0; second < 3; second += 1) {
      expect(answered(budget, 1_400, 33)).toBe(1_400 * 373);
      budget.tick();
    }
  });

  test("are whole again in the second after a flood has ended", () => {
    const budget = new PongBudget();
    answered(budget, 20_000, 33);
    budget.tick();
    expect(answered(budget, 10, 33)).toBeLessThanOrEqual(10 * 99);
    budget.tick();
    expect(answered(budget, 10, 33)).toBe(10 * 373);
  });

  test("stay below the bytes of a second where few ask", () => {
    expect(answered(new PongBudget(), 3_000, 25)).toBeLessThanOrEqual(pongBytesPerSecond);
  });
});

test("all ports of a shield share one budget, which is forgotten when nothing of it counts any more", () => {
  const budgets = new PongBudgets();
  const first = budgets.of("one");
  for (let pings = 0; pings < pingsPerShieldMax; pings += 1) first.take(33, 10, 10);
  expect(budgets.of("one").take(33, 10, 10)).toBe("none");
  expect(budgets.of("another").take(33, 10, 10)).toBe("long");
  budgets.tick();
  expect(budgets.of("one").take(33, 10, 10)).toBe("long");
  budgets.tick();
  budgets.tick();
  expect(budgets.of("another")).not.toBe(first);
});
