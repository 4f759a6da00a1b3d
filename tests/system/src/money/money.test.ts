import { expect, test } from "vitest";
import { runMoney } from "./money-race.ts";

test("the ledger agrees with every answer after purchases, credits and top-ups race over two apis that are killed", async () => {
  const firstSeed = Math.floor(Math.random() * 2 ** 31);
  const result = await runMoney({ seeds: 2, firstSeed, say: console.log });
  expect(result.broken, `from seed ${firstSeed}`).toEqual([]);
  expect(result.bought + result.refused).toBeGreaterThanOrEqual(4);
});
