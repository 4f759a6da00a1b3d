import { configSchemaVersion } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import {
  attack,
  buyShield,
  createStubCards,
  jobDeps,
  stopSchedules,
} from "#src/test-support/test-renewals.ts";
import { enrolEdge, planIdOf } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  mailsTo,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { insertHours } from "#src/test-support/test-telemetry.ts";
import { trafficLimits } from "./renewals.jobs.ts";

const stub = createStubCards(() => testApp);
const terabyte = 1_000_000_000_000;
let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  testApp.clock.set(new Date("2031-02-03T10:00:00Z"));
  const bought = await buyShield(testApp, "free");
  owner = bought.owner;
  shieldId = bought.shield.id;
});

const run = () => trafficLimits(jobDeps(testApp, stub.cards)).run({});

/** The traffic of this hour, in all. */
async function use(bytes: number): Promise<void> {
  const hour = new Date(Math.floor(testApp.clock.nowMs() / 3_600_000) * 3_600_000);
  const half = String(bytes / 2);
  await insertHours(testApp.platform.db, [
    { shield_id: shieldId, start: hour, bytes_up: half, bytes_down: half },
  ]);
}

/** The status that edges were told. */
async function told(): Promise<string> {
  const { config } = await testApp.platform.db
    .selectFrom("shield_configs")
    .select("config")
    .where("shield_id", "=", shieldId)
    .where("schema", "=", configSchemaVersion)
    .executeTakeFirstOrThrow();
  return JSON.parse(config).status;
}

async function subjects(count: number): Promise<string[]> {
  return until(async () => {
    const mails = await mailsTo(testApp, owner.email);
    const found = mails
      .map(({ subject }) => subject)
      .filter((each) => /traffic|no longer join/.test(each));
    return found.length >= count ? found : undefined;
  });
}

describe("the traffic of a shield", () => {
  test("is told at 80 and 100 percent, once each; five days later new players are refused", async () => {
    for (const share of [0.5, 0.8, 0.9, 1, 1.2]) {
      await use(share * terabyte);
      await run();
      await run();
      expect([share, await told()]).toEqual([share, "active"]);
    }
    testApp.clock.advance(5 * 86_400_000 - 1);
    await run();
    expect(await told()).toBe("active");
    testApp.clock.advance(1);
    await run();
    await run();
    expect(await told()).toBe("traffic_used_up");
    expect(await subjects(3)).toEqual([
      "80 % of the traffic of My server is used",
      "The traffic of My server has reached its limit",
      "New players can no longer join My server",
    ]);
  });

  test("twice the limit is the end at once, but not during an attack", async () => {
    const end = await attack(testApp, shieldId);
    await use(2 * terabyte);
    await run();
    expect(await told()).toBe("active");
    await end();
    await run();
    expect(await told()).toBe("traffic_used_up");
  });

  test("starts again with the month, and its mails as well", async () => {
    await use(2 * terabyte);
    await run();
    expect(await told()).toBe("traffic_used_up");
    testApp.clock.set(new Date("2031-03-01T00:00:00Z"));
    await run();
    expect(await told()).toBe("active");
    await use(0.8 * terabyte);
    await run();
    expect((await subjects(3)).at(-1)).toBe("80 % of the traffic of My server is used");
  });

  test("is enough again as soon as the plan has more", async () => {
    await use(2 * terabyte);
    await run();
    await giveMoney(testApp, owner, 2_900);
    owner = { ...owner, token: await openSession(testApp, owner) };
    const answer = await call(testApp, routes.planChanges.changePlan, {
      token: owner.token,
      params: { id: shieldId },
      body: { pricing_plan_id: await planIdOf(testApp, "pro") },
    });
    expect([answer.statusCode, await told()]).toEqual([200, "active"]);
  });

  test("has no end on a plan without a limit", async () => {
    await sql`
      update shields set pricing_plan_id = (select id from pricing_plans where slug = 'network')
      where id = ${shieldId}
    `.execute(testApp.platform.db);
    await use(500 * terabyte);
    await run();
    expect(await told()).toBe("active");
  });
});
