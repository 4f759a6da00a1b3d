import { routes } from "@palisade/contract/http/routes";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startCutAtCommitProxy,
  type CutAtCommitProxy,
} from "#src/test-support/cut-at-commit-proxy.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeBooks } from "#src/test-support/test-money.ts";
import { enrolEdge, shieldBody, type PlanSlug } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let replica: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeBooks(testApp));

function buy(body: object, options: { readonly app?: TestApp; readonly key?: string } = {}) {
  return call(options.app ?? testApp, routes.servers.createServer, {
    token: user.token,
    body,
    ...(options.key === undefined ? {} : { headers: { "idempotency-key": options.key } }),
  });
}

async function buyPlan(plan: PlanSlug) {
  const answer = await buy(await shieldBody(testApp, user, plan));
  return { answer, server: answer.json().server as { readonly id: string } };
}

async function balance(): Promise<string> {
  const answer = await call(testApp, routes.auth.user, { token: user.token });
  return routes.auth.user.response.parse(answer.json()).user.balance;
}

async function owned() {
  const { db } = testApp.platform;
  return db
    .selectFrom("shields")
    .leftJoin("subscriptions", "subscriptions.shield_id", "shields.id")
    .leftJoin("ledger_txns", (join) =>
      join.on(sql<boolean>`ledger_txns.business_key = 'purchase:' || shields.id`),
    )
    .select(["shields.id", "subscriptions.price_cents as paid", "ledger_txns.kind as txn"])
    .where("shields.owner_id", "=", user.id)
    .execute();
}

describe("the balance", () => {
  test("is the same in the calls for the user, the dashboard and the plans", async () => {
    await giveMoney(testApp, user, 900);
    await giveMoney(testApp, user, 50, "bonus");
    const dashboard = await call(testApp, routes.profile.getDashboard, { token: user.token });
    expect(dashboard.json()).toMatchObject({ balance: "9.50", balance_cents: 950 });
    const current = await call(testApp, routes.auth.user, { token: user.token });
    expect(current.json().user).toMatchObject({ balance: "9.50", balance_cents: 950 });
    const listed = await call(testApp, routes.plans.listPricingPlans, { token: user.token });
    const { plans } = routes.plans.listPricingPlans.response.parse(listed.json());
    expect(plans.map(({ name, is_available }) => [name, is_available])).toEqual([
      ["Free", true],
      ["Plus", true],
      ["Pro", false],
      ["Network", false],
    ]);
  });

  test("is shown with each plan as it would be after buying it, with the day of renewal", async () => {
    testApp.clock.set(new Date("2031-01-31T15:30:00Z"));
    user = await createUser(testApp);
    await giveMoney(testApp, user, 850);
    await giveMoney(testApp, user, 100, "bonus");
    const listed = await call(testApp, routes.plans.listPricingPlans, { token: user.token });
    const { plans } = routes.plans.listPricingPlans.response.parse(listed.json());
    const told = plans.map((plan) => [
      plan.balance_after,
      plan.balance_after_cents,
      plan.renews_at,
    ]);
    expect(told).toEqual([
      ["9.50", 950, null],
      ["0.50", 50, "2031-02-28T15:30:00.000Z"],
      [null, null, "2031-02-28T15:30:00.000Z"],
      [null, null, "2031-02-28T15:30:00.000Z"],
    ]);
    await buyPlan("plus");
    expect(await balance()).toBe("0.50");
  });
});

describe("buying a shield", () => {
  test("charges the plan's price and lasts until the same day of the next month", async () => {
    testApp.clock.set(new Date("2031-01-31T15:30:00Z"));
    user = await createUser(testApp);
    await giveMoney(testApp, user, 2_000);
    const { answer, server } = await buyPlan("plus");
    expect(answer.statusCode).toBe(201);
    expect(await balance()).toBe("11.00");
    const overview = await call(testApp, routes.servers.getOverview, {
      token: user.token,
      params: { id: server.id },
    });
    expect(overview.json()).toMatchObject({
      pricing_plan: { name: "Plus" },
      expires_at: "2031-02-28T15:30:00.000Z",
    });
  });

  test("charges nothing for a free plan, which never expires", async () => {
    const { server } = await buyPlan("free");
    const overview = await call(testApp, routes.servers.getOverview, {
      token: user.token,
      params: { id: server.id },
    });
    expect(overview.json()).toMatchObject({ expires_at: null });
    expect(await owned()).toEqual([{ id: server.id, paid: null, txn: null }]);
  });

  test("is refused with 402 when one cent is missing, and leaves nothing, not even a used reservation", async () => {
    await giveMoney(testApp, user, 899);
    const body = await shieldBody(testApp, user, "plus");
    const short = await buy(body);
    expect([short.statusCode, short.json().code]).toEqual([402, "insufficient_funds"]);
    expect(await owned()).toEqual([]);
    await giveMoney(testApp, user, 1);
    expect((await buy(body)).statusCode).toBe(201);
    expect(await balance()).toBe("0.00");
  });

  test("takes no money when a later step fails", async () => {
    await giveMoney(testApp, user, 900);
    const body = await shieldBody(testApp, user, "plus");
    for (const change of [
      { location: "nowhere" },
      { cname_record: "aaaaaaaaaaaa.gs.localhost" },
      { domain: "a.gs.localhost" },
    ]) {
      expect((await buy({ ...body, ...change })).statusCode).toBe(422);
      expect(await balance()).toBe("9.00");
    }
  });

  test("takes cash first and bonus for the rest", async () => {
    await giveMoney(testApp, user, 500, "bonus");
    await giveMoney(testApp, user, 600);
    const { server } = await buyPlan("plus");
    const postings = await testApp.platform.db
      .selectFrom("ledger_postings")
      .innerJoin("ledger_txns", "ledger_txns.id", "ledger_postings.txn_id")
      .innerJoin("ledger_accounts", "ledger_accounts.id", "ledger_postings.account_id")
      .select(["ledger_accounts.kind", "ledger_postings.cents"])
      .where("ledger_txns.business_key", "=", `purchase:${server.id}`)
      .orderBy("ledger_accounts.kind")
      .execute();
    expect(postings).toEqual([
      { kind: "bonus", cents: "-300" },
      { kind: "cash", cents: "-600" },
      { kind: "revenue", cents: "900" },
    ]);
  });
});

describe("purchases at the same time in two processes", () => {
  test("with money for one of two: one succeeds, one is refused with 402", async () => {
    for (let round = 0; round < 5; round += 1) {
      await giveMoney(testApp, user, 900);
      const bodies = [
        await shieldBody(testApp, user, "plus"),
        await shieldBody(testApp, user, "plus"),
      ];
      const answers = await Promise.all(
        bodies.map((body, index) => buy(body, { app: index === 0 ? testApp : replica })),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([201, 402]);
      expect(await balance()).toBe("0.00");
      expect(await owned()).toHaveLength(round + 1);
    }
  });

  test("with money for three of eight while credits arrive: as many succeed as there is money for", async () => {
    await giveMoney(testApp, user, 1_800);
    const bodies = await Promise.all(
      Array.from({ length: 8 }, () => shieldBody(testApp, user, "plus")),
    );
    const [answers] = await Promise.all([
      Promise.all(bodies.map((body, index) => buy(body, { app: index % 2 ? testApp : replica }))),
      giveMoney(replica, user, 450),
      giveMoney(testApp, user, 450),
    ]);
    const bought = answers.filter(({ statusCode }) => statusCode === 201).length;
    expect(answers.every(({ statusCode }) => [201, 402].includes(statusCode))).toBe(true);
    expect([2, 3]).toContain(bought);
    expect(await balance()).toBe(bought === 3 ? "0.00" : "9.00");
    expect(await owned()).toHaveLength(bought);
  });

  test("20 with one Idempotency-Key: one purchase", async () => {
    await giveMoney(testApp, user, 9_000);
    const body = await shieldBody(testApp, user, "plus");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        buy(body, { app: index % 2 === 0 ? testApp : replica, key: "wizard-1" }),
      ),
    );
    const created = answers.filter(({ statusCode }) => statusCode === 201);
    expect(new Set(created.map((answer) => answer.json().server.id)).size).toBe(1);
    for (const answer of answers) {
      if (answer.statusCode !== 201) expect(answer.json().code).toBe("idempotency_in_progress");
    }
    expect(await balance()).toBe("81.00");
    expect((await buy({ ...body, server_name: "Other" }, { key: "wizard-1" })).json().code).toBe(
      "idempotency_mismatch",
    );
    expect(await balance()).toBe("81.00");
  });
});

describe("a connection lost at COMMIT", () => {
  let cutter: CutAtCommitProxy;
  let behind: TestApp;
  beforeAll(async () => {
    cutter = await startCutAtCommitProxy(testApp.runtimeUrl);
    behind = await createTestApp({
      sharing: testApp,
      config: { databaseUrl: cutter.databaseUrl },
    });
  });
  afterAll(async () => {
    await behind?.close();
    await cutter?.close();
  });

  test.each([
    ["before commit", "9.00", 0],
    ["after commit", "0.00", 1],
  ] as const)("%s: repeated by its key it is one purchase", async (cut, between, shields) => {
    await giveMoney(testApp, user, 900);
    const body = await shieldBody(testApp, user, "plus");
    const before = cutter.cuts;
    cutter.arm(cut);
    const lost = await buy(body, { app: behind, key: "lost" });
    expect(cutter.cuts).toBe(before + 1);
    expect([lost.statusCode, lost.json().code]).toEqual([503, "unavailable"]);
    expect(await balance()).toBe(between);
    expect(await owned()).toHaveLength(shields);

    const again = await buy(body, { app: behind, key: "lost" });
    expect(again.statusCode).toBe(201);
    expect(await balance()).toBe("0.00");
    expect(await owned()).toEqual([{ id: again.json().server.id, paid: "900", txn: "purchase" }]);
    expect((await buy(body, { app: replica, key: "lost" })).json()).toEqual(again.json());
  });
});
