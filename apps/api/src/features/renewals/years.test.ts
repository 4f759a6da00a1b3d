import { expect, test } from "vitest";
import { runYears } from "#src/test-support/years/years.ts";

test("every period of every shield and support plan is paid once, and served only while it is paid or in its grace", async () => {
  const seed = 20_271_124;
  const options = { seed, subscriptions: 12, months: 6, haste: 20, say: () => undefined };
  const { counts, broken } = await runYears(options);
  expect(broken).toEqual([]);
  expect(counts.get("purchase")).toBe(12);
  expect(counts.get("renewal")).toBeGreaterThan(12);
});
