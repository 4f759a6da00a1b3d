import { namespacesMissing } from "@palisade/testing/network-namespaces";
import { describe, expect, test } from "vitest";
import { botKinds, type FloodPlan } from "./plan.ts";
import { runFlood } from "./run-flood.ts";

const missing = namespacesMissing();
if (missing !== undefined) process.stdout.write(`the short flood is skipped: ${missing}\n`);

/** What two cores bear that do other things too; `npm run soak -- flood` is the whole one. */
const plan: FloodPlan = {
  level: "high",
  seconds: 4,
  quietSeconds: 1,
  botsPerSecond: 1_500,
  sources: 256,
  kinds: botKinds,
  kernel: "auto",
  workers: 2,
  version: "1.20.4",
  joinEveryMs: 250,
  players: 20,
};

describe.skipIf(missing !== undefined)("while bots flood an edge of two threads", () => {
  test("every real client joins and nobody who plays is lost (fault 70)", async () => {
    const { bots, joins, quiet, flood, outcomes } = await runFlood(plan, () => undefined);
    expect(joins.failures).toEqual([]);
    // Each was verified: told to come again, and let in then.
    expect(joins).toMatchObject({ joined: joins.tried, rejoined: joins.tried });
    expect(joins.tried).toBeGreaterThan(0);
    expect(flood.lost).toBe(0);
    expect([quiet.count, flood.count].every((echoes) => echoes > 0)).toBe(true);
    expect(bots.opened).toBeGreaterThan(0);
    // Players, real clients, and the one who has tried whether anybody can join: no bot.
    expect(outcomes.get("forwarded")).toBe(plan.players + joins.joined + 1);
  });
});
