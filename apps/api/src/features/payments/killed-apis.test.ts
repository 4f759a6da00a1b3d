import { expect, test } from "vitest";
import { runKilledApis } from "#src/test-support/killed-apis/killed-apis.ts";

test("an owner's top-ups, purchases, changes, refunds and renewals happen once each, although an api dies in between", async () => {
  const firstSeed = Math.floor(Math.random() * 2 ** 31);
  const result = await runKilledApis({
    seeds: 2,
    firstSeed,
    steps: ["renewal-charged", "credit-posted"],
    say: () => undefined,
  });
  expect(result.broken, `from seed ${firstSeed}`).toEqual([]);
});
