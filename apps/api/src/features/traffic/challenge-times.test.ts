import type { MinuteCounters } from "@palisade/contract/edge/plain-values";
import { routes } from "@palisade/contract/http/routes";
import { describe, expect, test } from "vitest";
import { deleteChallengeTimes } from "#src/features/telemetry/retention.repository.ts";
import { eachTestHasTraffic, type TrafficOfTest } from "#src/test-support/test-traffic.ts";
import { call } from "#src/test-support/test-users.ts";

let at: TrafficOfTest;
eachTestHasTraffic((current) => (at = current));

describe("times to pass the checks", () => {
  test("add up over reports and edges by challenge and version, once each, for the owner to read", async () => {
    const counted = (failed: number) => [0, 2, 0, 0, 0, 0, 0, 1, failed];
    const first = at.report({
      minutes: [
        at.counters({ challenges: [["gravity:765", counted(1)]] }),
        at.counters({ minute: at.minute(1), challenges: [["gravity:765", counted(1)]] }),
      ],
    });
    for (const sent of [first, first]) await at.send(sent);
    await at.send(
      at.report({ minutes: [at.counters({ challenges: [["gravity:765", counted(0)]] })] }),
    );
    await at.send(
      at.report({ minutes: [at.counters({ challenges: [["gravity:", counted(5)]] })] }),
      at.other,
    );
    const params = { id: at.shieldId };
    const { getChallenges } = routes.mitigation;
    const read = () => call(at.testApp, getChallenges, { token: at.owner.token, params });
    expect((await read()).json()).toEqual({
      days: 7,
      challenges: [
        {
          challenge: "gravity",
          passed: 12,
          failed: 7,
          median_ms: 875,
          versions: [
            { protocol: 765, version: "1.20.4", passed: 9, failed: 2, median_ms: 875 },
            { protocol: null, version: null, passed: 3, failed: 5, median_ms: 875 },
          ],
        },
      ],
    });
    const { db } = at.testApp.platform;
    await deleteChallengeTimes(db, at.testApp.clock.nowMs() + 86_400_000);
    expect((await read()).json().challenges).toEqual([]);
  });

  test("counts in no known form cost the report nothing else", async () => {
    const strange = [["premium:x", [1]]] as unknown as MinuteCounters["challenges"];
    await at.send(at.report({ minutes: [at.counters({ challenges: strange })] }));
    expect((await at.overview()).traffic).toBe(10_000);
    const rows = await at.testApp.platform.db
      .selectFrom("challenge_times")
      .select("shield_id")
      .where("shield_id", "=", at.shieldId)
      .execute();
    expect(rows).toEqual([]);
  });
});
