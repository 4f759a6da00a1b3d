import { namespacesMissing } from "@palisade/testing/network-namespaces";
import { describe, expect, test } from "vitest";
import { botKinds, type FloodPlan } from "./plan.ts";
import { unmetExpectations } from "./expectations.ts";
import { runFlood } from "./run-flood.ts";

const missing = namespacesMissing();
if (missing !== undefined) process.stdout.write(`the short flood is skipped: ${missing}\n`);

/** Sized for two busy cores; `npm run soak -- flood` runs a full flood. */
const plan: FloodPlan = {
  level: "high",
  seconds: 3,
  floods: 1,
  quietSeconds: 1,
  restSeconds: 0,
  botsPerSecond: 1_500,
  spread: "wide",
  sources: 2_048,
  pings: true,
  kinds: botKinds,
  kernel: "auto",
  workers: 2,
  version: "1.20.4",
  joinEveryMs: 250,
  players: 20,
};

describe.skipIf(missing !== undefined)("while bots flood an edge of two threads", () => {
  test("every real client joins and every player stays connected", async () => {
    const run = await runFlood(plan, () => undefined);
    expect(run.joins.failures).toEqual([]);
    expect(unmetExpectations(plan, run)).toEqual([]);
    expect([run.quiet, ...run.floods].every(({ count }) => count > 0)).toBe(true);
    expect(run.bots.answered).toBeGreaterThan(0);
  });
});
