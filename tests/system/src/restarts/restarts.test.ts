import { expect, test } from "vitest";
import { runRestarts } from "./rounds.ts";

test("killed parts restart under load, and no acknowledged write is lost (two rounds)", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const result = await runRestarts({ rounds: 2, seed, say: console.log });
  expect(result.broken, `seed ${seed}`).toEqual([]);
  expect(result.recoveries).toHaveLength(2);
  expect(result.acknowledged).toBeGreaterThanOrEqual(10);
  expect(result.compared).toBe(6);
});
