import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { freshDomain } from "#src/test-support/test-domains.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  buyShield,
  centsOf,
  createStubCards,
  hourMs,
  jobDeps,
  runRenewals,
  statusOf,
  stopSchedules,
  subscriptionOf,
} from "#src/test-support/test-renewals.ts";
import { addMember, enrolEdge, planIdOf, type PlanSlug } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  proveAnew,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { changePlan as changePlanOf } from "./plan-change.service.ts";

const stub = createStubCards(() => testApp);
let testApp: TestApp;
let replica: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(() => buy("plus"));
afterEach(() => requireWholeLedger(testApp));

/** A period of 28 days, of which each day is a whole number of seconds. */
async function buy(plan: PlanSlug): Promise<void> {
  testApp.clock.set(new Date("2031-02-01T00:00:00Z"));
  const bought = await buyShield(testApp, plan);
  owner = bought.owner;
  shieldId = bought.shield.id;
}

const day = (days: number) => testApp.clock.set(new Date(Date.UTC(2031, 1, 1 + days)));
const run = () => runRenewals(jobDeps(testApp, stub.cards));

async function quote(plan: PlanSlug, by = owner) {
  return call(testApp, routes.planChanges.quotePlanChange, {
    token: by.token,
    params: { id: shieldId },
    body: { pricing_plan_id: await planIdOf(testApp, plan) },
  });
}

async function quoted(plan: PlanSlug) {
  return routes.planChanges.quotePlanChange.response.parse((await quote(plan)).json()).quote;
}

async function change(
  plan: PlanSlug,
  options: {
    readonly quote_id?: string;
    readonly by?: TestUser;
    readonly app?: TestApp;
    readonly locale?: string;
  } = {},
) {
  const { by = owner, app = testApp, locale = "en", quote_id } = options;
  await proveAnew(testApp, by.token);
  return call(app, routes.planChanges.changePlan, {
    token: by.token,
    params: { id: shieldId },
    body: { pricing_plan_id: await planIdOf(testApp, plan), ...(quote_id && { quote_id }) },
    headers: { "accept-language": locale },
  });
}

async function planNow(): Promise<string> {
  const { rows } = await sql<{ slug: string }>`
    select slug from pricing_plans join shields on pricing_plan_id = pricing_plans.id
    where shields.id = ${shieldId}
  `.execute(testApp.platform.db);
  return rows[0]?.slug ?? "";
}

async function overview() {
  const answer = await call(testApp, routes.servers.getOverview, {
    token: owner.token,
    params: { id: shieldId },
  });
  return routes.servers.getOverview.response.parse(answer.json());
}

describe("an upgrade", () => {
  test("costs the difference for what is left; the period ends when it did", async () => {
    await giveMoney(testApp, owner, 1_500);
    day(14);
    expect(await quoted("pro")).toMatchObject({
      kind: "now",
      price_cents: 2_900,
      due: "10.00",
      due_cents: 1_000,
      balance_after: "5.00",
      period_ends_at: "2031-03-01T00:00:00.000Z",
      expires_at: "2031-02-15T00:15:00.000Z",
      exceeded: [],
    });
    const answer = await change("pro");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ kind: "now", message: "Plan changed successfully" });
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["pro", 500]);
    expect(await subscriptionOf(testApp, shieldId)).toMatchObject({
      price_cents: "2900",
      period: 1,
      period_ends_at: new Date("2031-03-01T00:00:00Z"),
    });
    await giveMoney(testApp, owner, 2_900);
    day(28);
    await run();
    expect(await centsOf(testApp, owner)).toBe(500);
  });

  test("takes the price of its quote for 15 minutes, and then no more", async () => {
    await giveMoney(testApp, owner, 2_000);
    day(14);
    const { id } = await quoted("pro");
    testApp.clock.advance(15 * 60_000);
    const late = await change("pro", { quote_id: id ?? "" });
    expect([late.statusCode, late.json().code]).toEqual([409, "quote_expired"]);
    day(14);
    const again = await quoted("pro");
    testApp.clock.advance(15 * 60_000 - 1);
    expect((await change("pro", { quote_id: again.id ?? "" })).statusCode).toBe(200);
    expect(await centsOf(testApp, owner)).toBe(1_000);
  });

  test("is refused with the quote of another plan, price, account or shield", async () => {
    await giveMoney(testApp, owner, 20_000);
    day(14);
    const { id } = await quoted("network");
    const other = await change("pro", { quote_id: id ?? "" });
    expect([other.statusCode, other.json().code]).toEqual([409, "price_changed"]);
    const mine = await quoted("pro");
    await sql`update plan_change_quotes set price_cents = 2800 where id = ${mine.id}`.execute(
      testApp.platform.db,
    );
    expect((await change("pro", { quote_id: mine.id ?? "" })).json().code).toBe("price_changed");
    const theirs = await buyShield(testApp);
    const [before, of] = [owner, shieldId];
    ({ owner } = theirs);
    shieldId = theirs.shield.id;
    await giveMoney(testApp, owner, 20_000);
    expect((await change("pro", { quote_id: id ?? "" })).json().code).toBe("quote_expired");
    [owner, shieldId] = [before, of];
    expect((await change("pro", { quote_id: newId() })).json().code).toBe("quote_expired");
    expect(await planNow()).toBe("plus");
  });

  test("confirmed ten times at once in two processes is charged once", async () => {
    await giveMoney(testApp, owner, 20_000);
    day(14);
    const { id } = await quoted("pro");
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        change("pro", {
          ...(index % 3 === 0 ? {} : { quote_id: id ?? "" }),
          app: index % 2 === 0 ? testApp : replica,
        }),
      ),
    );
    const codes = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);
    expect(codes).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await centsOf(testApp, owner)).toBe(19_000);
  });

  test.each(["upgrade-charged", "shield-commit"])(
    "of a process that dies at %s has charged nothing; the next one charges once",
    async (step) => {
      await giveMoney(testApp, owner, 5_000);
      day(14);
      const request = {
        shieldId,
        planId: await planIdOf(testApp, "pro"),
        now: testApp.clock.now(),
      };
      const dying = jobDeps(testApp, stub.cards, (name) => {
        if (name === step) throw new Error(`died at ${name}`);
      });
      const { db } = testApp.platform;
      const dies = db
        .transaction()
        .execute((trx) => changePlanOf(dying, trx, { ...request, quoteId: undefined }));
      await expect(dies).rejects.toThrow(step);
      expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["plus", 5_000]);
      expect((await change("pro")).statusCode).toBe(200);
      expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["pro", 4_000]);
    },
  );

  test("without enough money changes nothing", async () => {
    await giveMoney(testApp, owner, 999);
    day(14);
    expect(await quoted("pro")).toMatchObject({ due_cents: 1_000, balance_after: null });
    const answer = await change("pro");
    expect([answer.statusCode, answer.json().code]).toEqual([402, "insufficient_funds"]);
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["plus", 999]);
  });

  test("from the free plan costs a whole month and begins the first period", async () => {
    await buy("free");
    await giveMoney(testApp, owner, 1_000);
    day(3);
    expect((await change("plus")).statusCode).toBe(200);
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["plus", 100]);
    expect(await subscriptionOf(testApp, shieldId)).toMatchObject({
      period: 1,
      period_ends_at: new Date("2031-03-04T00:00:00Z"),
    });
  });

  test("waits for the renewal while the period is over, and for support while it is blocked", async () => {
    await giveMoney(testApp, owner, 5_000);
    testApp.clock.set(new Date("2031-03-01T12:00:00Z"));
    expect([(await change("pro")).json().code, (await quote("pro")).json().code]).toEqual([
      "renewal_due",
      "renewal_due",
    ]);
    for (const status of ["blocked", "expired"] as const) {
      await testApp.platform.db
        .updateTable("shields")
        .set({ status })
        .where("id", "=", shieldId)
        .execute();
      expect((await change("pro")).json().code).toBe("server_not_active");
    }
  });
});

describe("a downgrade", () => {
  test("begins with the next period, at the price that was shown, without a charge before", async () => {
    await buy("pro");
    await giveMoney(testApp, owner, 5_000);
    expect(await quoted("plus")).toMatchObject({
      id: null,
      kind: "at_period_end",
      due_cents: 0,
      effective_at: "2031-03-01T00:00:00.000Z",
    });
    const answer = await change("plus");
    expect(answer.json()).toMatchObject({
      kind: "at_period_end",
      effective_at: "2031-03-01T00:00:00.000Z",
      revision: null,
    });
    expect((await overview()).planned_plan).toMatchObject({
      plan: { name: "Plus" },
      effective_at: "2031-03-01T00:00:00.000Z",
    });
    expect((await overview()).renewal).toMatchObject({
      charge_at: "2031-03-01T00:00:00.000Z",
      price_cents: 900,
    });
    await sql`update pricing_plans set price_cents = 1900 where slug = 'plus'`.execute(
      testApp.platform.db,
    );
    day(27);
    await run();
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["pro", 5_000]);
    day(28);
    await run();
    await sql`update pricing_plans set price_cents = 900 where slug = 'plus'`.execute(
      testApp.platform.db,
    );
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["plus", 4_100]);
    expect(await overview()).toMatchObject({
      planned_plan: null,
      expires_at: "2031-04-01T00:00:00.000Z",
    });
  });

  test("to the free plan ends the subscription; the shield never expires", async () => {
    await change("free");
    expect((await overview()).renewal).toBeNull();
    day(28);
    await run();
    expect([await planNow(), await subscriptionOf(testApp, shieldId)]).toEqual(["free", undefined]);
    day(40);
    await run();
    expect(await statusOf(testApp, shieldId)).toBe("active");
  });

  test("that is cancelled leaves the plan as it is, and its renewal on time", async () => {
    await buy("pro");
    await giveMoney(testApp, owner, 2_900);
    await change("plus");
    const cancel = async () => {
      await proveAnew(testApp, owner.token);
      return call(testApp, routes.planChanges.cancelPlanChange, {
        token: owner.token,
        params: { id: shieldId },
      });
    };
    expect((await cancel()).json()).toEqual({ message: "The planned change is cancelled" });
    expect((await cancel()).statusCode).toBe(200);
    expect((await overview()).planned_plan).toBeNull();
    day(27);
    await run();
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["pro", 0]);
  });

  test("goes when the owner upgrades after all", async () => {
    await giveMoney(testApp, owner, 4_900);
    await change("free");
    await change("pro");
    day(27);
    await run();
    day(28);
    await run();
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["pro", 0]);
  });

  test("is refused with everything that exceeds the plan, in both languages", async () => {
    await buy("network");
    const { db } = testApp.platform;
    const created_at = testApp.clock.now();
    for (const name of [freshDomain(), freshDomain()]) {
      await db
        .insertInto("shield_domains")
        .values({ id: newId(), shield_id: shieldId, name, created_at, verified_at: null })
        .execute();
    }
    await db
      .insertInto("backend_groups")
      .values({
        id: newId(),
        shield_id: shieldId,
        name: "Lobby",
        balancing: "random",
        proxy_protocol: false,
        is_default: false,
        created_at,
      })
      .execute();
    await sql`
      update shield_mitigation set settings = '{"antibot_level": "extreme", "anti_vpn": true}'
      where shield_id = ${shieldId}
    `.execute(db);
    expect((await quoted("free")).exceeded).toEqual([
      { limit: "domains", used: 3, allowed: 1 },
      { limit: "backend_groups", used: 2, allowed: 1 },
      { limit: "antibot_level", used: 4, allowed: 2 },
      { limit: "anti_vpn", used: 1, allowed: 0 },
    ]);
    const answer = await change("free");
    expect([answer.statusCode, answer.json().code]).toEqual([409, "plan_exceeded"]);
    const messages = (body: { issues: { message: string }[] }) =>
      body.issues.map((issue) => issue.message);
    expect(messages(answer.json())).toEqual([
      "3 domains, 1 allowed",
      "2 backend groups, 1 allowed",
      "The AntiBot level is stricter than the plan allows",
      "Anti-VPN is on, and the plan does not include it",
    ]);
    expect(messages((await change("free", { locale: "ru" })).json())[0]).toBe(
      "Доменов: 3, тариф позволяет 1",
    );
    expect((await overview()).planned_plan).toBeNull();
  });

  test("that no longer fits at the end of the period is not made: the plan is renewed", async () => {
    await giveMoney(testApp, owner, 900);
    await change("free");
    await testApp.platform.db
      .insertInto("shield_domains")
      .values({
        id: newId(),
        shield_id: shieldId,
        name: freshDomain(),
        created_at: testApp.clock.now(),
        verified_at: null,
      })
      .execute();
    day(28);
    await run();
    expect([await planNow(), await centsOf(testApp, owner)]).toEqual(["plus", 0]);
    expect((await overview()).planned_plan).toBeNull();
  });

  test("unpaid at the end of the period has the smaller plan in the grace, too", async () => {
    await buy("pro");
    await change("plus");
    day(28);
    await run();
    expect([await planNow(), await statusOf(testApp, shieldId)]).toEqual(["plus", "active"]);
    testApp.clock.advance(72 * hourMs);
    await run();
    expect(await statusOf(testApp, shieldId)).toBe("expired");
  });
});

test("a change is the owner's alone, and the present plan is refused", async () => {
  const member = await createUser(testApp);
  await addMember(testApp, shieldId, member);
  const stranger = await createUser(testApp);
  const codes = [
    (await change("pro", { by: member })).statusCode,
    (await quote("pro", member)).statusCode,
    (await change("pro", { by: stranger })).statusCode,
  ];
  expect(codes).toEqual([403, 403, 404]);
  const same = await change("plus");
  expect([same.statusCode, same.json().message]).toEqual([
    409,
    "The Game Shield is on this plan already",
  ]);
});
