import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  buyShield,
  centsOf,
  createStubCards,
  jobDeps,
  setToggles,
  stopSchedules,
} from "#src/test-support/test-renewals.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  mailsTo,
  proveAnew,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { automaticTopUps, hourlyBilling } from "./renewals.jobs.ts";

const stub = createStubCards(() => testApp);
let testApp: TestApp;
let replica: TestApp;
let user: TestUser;

beforeAll(async () => {
  testApp = await createTestApp({ cards: stub.cards });
  replica = await createTestApp({ sharing: testApp, cards: stub.cards });
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  testApp.clock.set(new Date("2031-02-01T00:00:00Z"));
  user = await createUser(testApp);
});
afterEach(() => requireWholeLedger(testApp));

const dayMs = 86_400_000;
const charges = () => stub.charges.filter(({ userId }) => userId === user.id);

async function subjects(part: string, count: number): Promise<string[]> {
  return until(async () => {
    const mails = await mailsTo(testApp, user.email);
    const found = mails.map(({ subject }) => subject).filter((each) => each.includes(part));
    return found.length >= count ? found : undefined;
  });
}

describe("the automatic top-up", () => {
  const set = async (body: object) => {
    await proveAnew(testApp, user.token);
    return call(testApp, routes.automaticPayments.updateAutomaticTopUp, {
      token: user.token,
      body,
    });
  };
  const get = async () =>
    (await call(testApp, routes.automaticPayments.getAutomaticTopUp, { token: user.token })).json();
  const run = (app = testApp, dies?: string) =>
    automaticTopUps(
      jobDeps(app, stub.cards, (name) => {
        if (name === dies) throw new Error(`died at ${name}`);
      }),
    ).run({});

  test("is off until its owner sets a limit and a sum", async () => {
    expect(await get()).toEqual({ enabled: false, threshold: 10, amount: 20 });
    const answer = await set({ enabled: true, threshold: 5, amount: 50 });
    expect(answer.json()).toEqual({
      settings: { enabled: true, threshold: 5, amount: 50 },
      message: "Automatic top-up settings saved",
    });
    expect(await get()).toEqual({ enabled: true, threshold: 5, amount: 50 });
  });

  test.each([
    [{ enabled: true, threshold: 0, amount: 20 }, "Minimum amount is 1€"],
    [{ enabled: true, threshold: 10, amount: 1_001 }, "Maximum amount is 1000€"],
    [{ enabled: true, threshold: 10.5, amount: 20 }, "Only whole euros, digits only"],
    [{ enabled: "yes", threshold: 10, amount: 20 }, "Must be true or false"],
  ])("%j is 422", async (body, message) => {
    const answer = await set(body);
    expect([answer.statusCode, answer.json().issues[0]?.message]).toEqual([422, message]);
  });

  test("charges the card below the limit, once a day at most, however many processes run", async () => {
    stub.outcomes.set(user.id, "paid");
    await giveMoney(testApp, user, 1_000);
    await set({ enabled: true, threshold: 10, amount: 20 });
    await run();
    expect(charges()).toHaveLength(0);
    await set({ enabled: true, threshold: 11, amount: 20 });
    testApp.clock.advance(dayMs);
    await Promise.all([run(), run(replica), run(), run(replica)]);
    expect([charges().length, await centsOf(testApp, user)]).toEqual([1, 3_000]);
    await set({ enabled: true, threshold: 1_000, amount: 20 });
    testApp.clock.advance(dayMs - 1);
    await run();
    expect(charges()).toHaveLength(1);
    testApp.clock.advance(1);
    await run();
    expect([charges().length, await centsOf(testApp, user)]).toEqual([2, 5_000]);
  });

  test("is not charged again where the process dies after charging", async () => {
    stub.outcomes.set(user.id, "paid");
    await set({ enabled: true, threshold: 100, amount: 20 });
    await run(testApp, "automatic-top-up-charged");
    testApp.clock.advance(6 * 60_000);
    await run();
    expect([charges().length, await centsOf(testApp, user)]).toEqual([1, 2_000]);
  });

  test("that fails on three days is switched off, with a mail at the first and the last", async () => {
    stub.outcomes.set(user.id, "declined");
    await set({ enabled: true, threshold: 10, amount: 20 });
    for (let days = 0; days < 4; days += 1) {
      await run();
      testApp.clock.advance(dayMs);
    }
    expect(await get()).toMatchObject({ enabled: false });
    expect(await subjects("automatic top-up", 2)).toEqual([
      "The automatic top-up failed",
      "The automatic top-up was switched off",
    ]);
  });
});

describe("the forecast", () => {
  const forecast = async () => {
    const answer = await call(testApp, routes.automaticPayments.getForecast, { token: user.token });
    return routes.automaticPayments.getForecast.response.parse(answer.json());
  };

  test("names the first renewal that the balance does not cover, of all shields together", async () => {
    await buyShield(testApp, "plus", user);
    testApp.clock.set(new Date("2031-02-10T00:00:00Z"));
    const { shield } = await buyShield(testApp, "pro", user);
    // 9 in February, 29 and 9 in March, 29 in April are too much.
    await giveMoney(testApp, user, 900 + 2_900 + 900 + 2_899);
    expect(await forecast()).toMatchObject({
      balance_lasts_until: "2031-04-09T00:00:00.000Z",
      monthly_cents: 3_800,
      renewals: [
        { charge_at: "2031-02-28T00:00:00.000Z", price_cents: 900, covered: true },
        { charge_at: "2031-03-09T00:00:00.000Z", price_cents: 2_900, covered: true },
      ],
    });
    await setToggles(testApp, user, shield.id, { include_balance: false });
    expect(await forecast()).toMatchObject({
      balance_lasts_until: "2031-10-31T00:00:00.000Z",
      monthly_cents: 900,
      renewals: [{ covered: true }, { covered: null }],
    });
    stub.outcomes.set(user.id, "paid");
    expect((await forecast()).balance_lasts_until).toBeNull();
  });

  test("is empty for an account that pays for nothing", async () => {
    expect(await forecast()).toEqual({
      balance_lasts_until: null,
      monthly: "0.00",
      monthly_cents: 0,
      renewals: [],
    });
  });
});

describe("a low balance", () => {
  const warn = () => hourlyBilling(jobDeps(testApp, stub.cards)).run({});

  test("is told once, some days before the renewal that it does not cover", async () => {
    await buyShield(testApp, "plus", user);
    testApp.clock.set(new Date("2031-02-24T23:00:00Z"));
    await warn();
    testApp.clock.set(new Date("2031-02-25T00:00:00Z"));
    await warn();
    await warn();
    expect(await subjects("does not cover", 1)).toEqual([
      "Your balance does not cover the renewal of My server",
    ]);
    const { db } = testApp.platform;
    const told = await db
      .selectFrom("subscriptions")
      .select("told")
      .where("told", "=", "low")
      .execute();
    expect(told).toHaveLength(1);
  });

  test.each([
    ["the balance covers it", () => giveMoney(testApp, user, 900)],
    ["there is a saved card", async () => void stub.outcomes.set(user.id, "paid")],
  ])("is not told where %s", async (_, arrange) => {
    const { shield } = await buyShield(testApp, "plus", user);
    await arrange();
    testApp.clock.set(new Date("2031-02-26T00:00:00Z"));
    await warn();
    const { told } = await testApp.platform.db
      .selectFrom("subscriptions")
      .select("told")
      .where("shield_id", "=", shield.id)
      .executeTakeFirstOrThrow();
    expect(told).toBeNull();
  });
});
