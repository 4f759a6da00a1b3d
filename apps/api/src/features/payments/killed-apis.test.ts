import { expect, test } from "vitest";
import { runKilledApis } from "#src/test-support/killed-apis/killed-apis.ts";

test("an owner's top-ups, purchases, changes, refunds and renewals happen once each, although an api dies in between", async () => {
  const { broken, killsAt } = await runKilledApis({
    seeds: 2,
    firstSeed: 20_261_124,
    say: () => undefined,
  });
  expect(broken).toEqual([]);
  expect(Math.max(...killsAt.values())).toBeGreaterThan(0);
});
