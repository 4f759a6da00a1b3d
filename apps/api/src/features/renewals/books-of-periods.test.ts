import { routes } from "@palisade/contract/http/routes";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { charge } from "#src/features/ledger/ledger.service.ts";
import { openAuditLog } from "#src/features/audit/audit.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { asOwner } from "#src/test-support/query-plan.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeBooks } from "#src/test-support/test-money.ts";
import {
  buyShield,
  createStubCards,
  jobDeps,
  renew,
  runRenewals,
  statusOf,
  stopSchedules,
  subscriptionOf,
} from "#src/test-support/test-renewals.ts";
import { enrolEdge, planIdOf, type PlanSlug } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  expectStatus,
  openSession,
  proveAnew,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { setPlanByHand } from "./operator-plans.service.ts";
import { setSupportByHand } from "./operator-support.service.ts";

const stub = createStubCards(() => testApp);
let testApp: TestApp;
let owner: TestUser;
let shieldId: string;
let label: string;

beforeAll(async () => {
  testApp = await createTestApp();
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(() => buy("plus"));

async function buy(plan: PlanSlug): Promise<void> {
  testApp.clock.set(new Date("2031-02-01T00:00:00Z"));
  const bought = await buyShield(testApp, plan);
  ({ owner } = bought);
  ({ id: shieldId, cname_record: label } = bought.shield);
}

/** Breaks that a test made by hand are not left for the next one. */
let repairs: string[] = [];
afterEach(async () => {
  for (const statement of repairs) await byHand(statement);
  repairs = [];
  await requireWholeBooks(testApp);
  await byHand("delete from support_subscriptions; delete from subscriptions");
});

const byHand = (statement: string) => asOwner(testApp, (client) => client.query(statement));
const breaks = async () => (await verifyBooks(testApp.platform.db)).breaks;
const at = (text: string) => testApp.clock.set(new Date(text));
const run = () => runRenewals(jobDeps(testApp, stub.cards));

async function fresh(): Promise<string> {
  owner = { ...owner, token: await openSession(testApp, owner) };
  await proveAnew(testApp, owner.token);
  return owner.token;
}

async function change(plan: PlanSlug) {
  const answer = await call(testApp, routes.planChanges.changePlan, {
    token: await fresh(),
    params: { id: shieldId },
    body: { pricing_plan_id: await planIdOf(testApp, plan) },
  });
  await expectStatus(Promise.resolve(answer), 200);
}

async function support(slug: "free" | "priority" | "business") {
  const { id } = await testApp.platform.db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  await expectStatus(
    call(testApp, routes.supportPlans.purchaseSupportPlan, {
      token: await fresh(),
      body: { support_plan_id: id },
    }),
    200,
  );
}

const operator = () => {
  const { db, config } = testApp.platform;
  const { writes } = jobDeps(testApp, stub.cards);
  return { db, writes, audit: openAuditLog(db, config) };
};
const given = (slug: string) =>
  setPlanByHand(operator(), { label, slug, reason: "Sponsored", now: testApp.clock.now() });
const givenSupport = (slug: string) =>
  setSupportByHand(operator(), {
    email: owner.email,
    slug,
    reason: "Sponsored",
    now: testApp.clock.now(),
  });

describe("the books of paid periods are whole", () => {
  test("over renewals, and an upgrade between the renewal and the next period", async () => {
    await giveMoney(testApp, owner, 10_000);
    for (const day of ["2031-02-28", "2031-03-31", "2031-04-30"]) {
      at(`${day}T00:00:00Z`);
      await run();
      expect(await breaks()).toEqual([]);
    }
    expect((await subscriptionOf(testApp, shieldId))?.period).toBe(4);
    at("2031-04-30T12:00:00Z");
    await change("pro");
    expect(await breaks()).toEqual([]);
  });

  test("over an upgrade in the middle, a cheaper plan from the next period, and none after that", async () => {
    await giveMoney(testApp, owner, 20_000);
    at("2031-02-15T00:00:00Z");
    await change("pro");
    expect(await breaks()).toEqual([]);
    await change("plus");
    at("2031-03-01T00:00:00Z");
    await run();
    expect((await subscriptionOf(testApp, shieldId))?.price_cents).toBe("900");
    expect(await breaks()).toEqual([]);
    await change("free");
    at("2031-04-01T00:00:00Z");
    await run();
    expect(await subscriptionOf(testApp, shieldId)).toBeUndefined();
    expect(await breaks()).toEqual([]);
    await change("pro");
    expect(await breaks()).toEqual([]);
  });

  test("over the grace, an expiry, and a renewal that brings the shield back", async () => {
    for (const time of ["2031-03-01T00:00:00Z", "2031-03-04T00:00:00Z"]) {
      at(time);
      await run();
      expect(await breaks()).toEqual([]);
    }
    expect(await statusOf(testApp, shieldId)).toBe("expired");
    at("2031-03-20T00:00:00Z");
    await giveMoney(testApp, owner, 900);
    owner = { ...owner, token: await openSession(testApp, owner) };
    await expectStatus(renew(testApp, owner, shieldId), 200);
    expect(await breaks()).toEqual([]);
  });

  test("over an upgrade at the very moment at which a first period begins", async () => {
    await giveMoney(testApp, owner, 20_000);
    await change("pro");
    expect(await breaks()).toEqual([]);
    await buy("plus");
    for (const time of ["2031-03-01T00:00:00Z", "2031-03-04T00:00:00Z", "2031-03-20T00:00:00Z"]) {
      at(time);
      await run();
    }
    expect(await statusOf(testApp, shieldId)).toBe("expired");
    await giveMoney(testApp, owner, 20_000);
    owner = { ...owner, token: await openSession(testApp, owner) };
    await expectStatus(renew(testApp, owner, shieldId), 200);
    await change("pro");
    expect(await breaks()).toEqual([]);
  });

  test("over a period that the operator gave, its renewal, and a plan that was set within a paid period", async () => {
    await buy("free");
    expect(await given("plus")).toBe("done");
    expect(await breaks()).toEqual([]);
    await giveMoney(testApp, owner, 10_000);
    at("2031-02-28T00:00:00Z");
    await run();
    expect((await subscriptionOf(testApp, shieldId))?.period).toBe(2);
    expect(await breaks()).toEqual([]);
    expect(await given("pro")).toBe("done");
    expect(await breaks()).toEqual([]);
  });

  test("over a support plan: bought, renewed, replaced right after its renewal, cheaper, ended", async () => {
    await giveMoney(testApp, owner, 50_000);
    await support("priority");
    expect(await breaks()).toEqual([]);
    at("2031-02-28T00:00:00Z");
    await run();
    expect(await breaks()).toEqual([]);
    at("2031-02-28T06:00:00Z");
    await support("business");
    expect(await breaks()).toEqual([]);
    await support("priority");
    at("2031-03-28T06:00:00Z");
    await run();
    expect(await breaks()).toEqual([]);
    await support("free");
    at("2031-04-28T06:00:00Z");
    await run();
    expect(await breaks()).toEqual([]);
  });

  test("over a support plan that the operator gave, and its renewal", async () => {
    expect(await givenSupport("priority")).toBe("done");
    expect(await breaks()).toEqual([]);
    await giveMoney(testApp, owner, 10_000);
    at("2031-02-28T00:00:00Z");
    await run();
    const { period } = await testApp.platform.db
      .selectFrom("support_subscriptions")
      .select("period")
      .where("user_id", "=", owner.id)
      .executeTakeFirstOrThrow();
    expect(period).toBe(2);
    expect(await breaks()).toEqual([]);
  });
});

describe("the check of support plans finds", () => {
  const found = (times: number) =>
    expect.stringMatching(
      new RegExp(`^support plan of ${owner.id}: the period from .* was charged ${times} times$`),
    );
  const chargeAgain = (businessKey: string) =>
    testApp.platform.db
      .transaction()
      .execute((trx) =>
        charge(trx, { userId: owner.id, cents: 1, businessKey, at: testApp.clock.now() }),
      );

  beforeEach(async () => {
    await giveMoney(testApp, owner, 20_000);
    await support("priority");
    repairs = ["delete from support_subscriptions"];
  });

  test("a first period that nothing was charged for", async () => {
    await byHand(
      `update support_subscriptions set period_starts_at = period_starts_at + interval '1 second'`,
    );
    expect(await breaks()).toEqual([found(0)]);
  });

  test("a first period that was charged twice", async () => {
    await chargeAgain(`support:${owner.id}:${newId()}`);
    expect(await breaks()).toEqual([found(2)]);
  });

  test("a later period without a renewal, and one with two", async () => {
    await byHand(`update support_subscriptions set period = 2`);
    expect(await breaks()).toEqual([found(0)]);
    await byHand(`update support_subscriptions set period = 1`);
    at("2031-02-28T00:00:00Z");
    await run();
    expect(await breaks()).toEqual([]);
    await chargeAgain(`support-renewal:${owner.id}:2031-03-02T00:00:00.000Z`);
    expect(await breaks()).toEqual([found(2)]);
  });

  test("a later period of a plan whose first one the operator gave", async () => {
    await byHand(`update support_subscriptions set period = 2, first_is_given = true`);
    expect(await breaks()).toEqual([found(0)]);
  });

  test("no charge of another account", async () => {
    const other = owner;
    await buy("plus");
    await giveMoney(testApp, owner, 20_000);
    at("2031-02-01T00:00:00Z");
    await chargeAgain(`support:${owner.id}:${newId()}`);
    owner = other;
    expect(await breaks()).toEqual([]);
  });
});
