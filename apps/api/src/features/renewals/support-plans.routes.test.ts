import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  centsOf,
  createStubCards,
  jobDeps,
  runRenewals,
  stopSchedules,
} from "#src/test-support/test-renewals.ts";
import {
  call,
  createUser,
  mailsTo,
  openSession,
  proveAnew,
  type TestUser,
} from "#src/test-support/test-users.ts";

const stub = createStubCards(() => testApp);
let testApp: TestApp;
let replica: TestApp;
let user: TestUser;

beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  await stopSchedules(testApp);
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

type Slug = "free" | "priority" | "business";
const day = (days: number) => testApp.clock.set(new Date(Date.UTC(2031, 1, 1 + days)));
const run = (app = testApp) => runRenewals(jobDeps(app, stub.cards));

async function idOf(slug: Slug): Promise<string> {
  const { id } = await testApp.platform.db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  return id;
}

async function purchase(slug: Slug, app = testApp) {
  await proveAnew(testApp, user.token);
  return call(app, routes.supportPlans.purchaseSupportPlan, {
    token: user.token,
    body: { support_plan_id: await idOf(slug) },
  });
}

async function held() {
  const answer = await call(testApp, routes.supportPlans.getSupportSubscription, {
    token: user.token,
  });
  return routes.supportPlans.getSupportSubscription.response.parse(answer.json());
}

async function nameOfUser(): Promise<string> {
  const answer = await call(testApp, routes.auth.user, { token: user.token });
  return routes.auth.user.response.parse(answer.json()).user.current_subscription_plan.name;
}

describe("a support plan", () => {
  test("is charged at once, shown with the account, and renewed once in each period", async () => {
    await giveMoney(testApp, user, 4_000);
    expect([await nameOfUser(), (await held()).plan?.name]).toEqual(["Free", "Free"]);
    const answer = await purchase("priority");
    expect([answer.statusCode, answer.json().kind]).toEqual([200, "now"]);
    expect([await nameOfUser(), await centsOf(testApp, user)]).toEqual(["Priority", 2_100]);
    day(27);
    await Promise.all([run(), run(replica), run(), run(replica)]);
    expect(await centsOf(testApp, user)).toBe(200);
    expect((await held()).period_ends_at).toBe("2031-04-01T00:00:00.000Z");
    const listed = await call(testApp, routes.billing.listTransactions, { token: user.token });
    expect(listed.json().data).toMatchObject([
      { type: "renewal", description: "Renewal of the support plan Priority", amount: "-19.00" },
      { type: "purchase", description: "Support plan Priority", amount: "-19.00" },
      { type: "adjustment" },
    ]);
  });

  test("that is dearer begins a new period for its price less the unused part", async () => {
    await giveMoney(testApp, user, 20_000);
    await purchase("priority");
    day(14);
    const quote = await call(testApp, routes.supportPlans.quoteSupportPlan, {
      token: user.token,
      body: { support_plan_id: await idOf("business") },
    });
    // 99.00 less half of 19.00.
    expect(quote.json().quote).toMatchObject({ kind: "now", due_cents: 8_950 });
    expect((await purchase("business")).statusCode).toBe(200);
    expect(await centsOf(testApp, user)).toBe(20_000 - 1_900 - 8_950);
    expect((await held()).period_ends_at).toBe("2031-03-15T00:00:00.000Z");
  });

  test("that is cheaper begins with the next period, unless that is cancelled", async () => {
    await giveMoney(testApp, user, 9_900 + 1_900 + 100);
    await purchase("business");
    expect((await purchase("priority")).json().kind).toBe("at_period_end");
    expect((await held()).planned).toMatchObject({ plan: { name: "Priority" } });
    const cancel = await call(testApp, routes.supportPlans.cancelSupportChange, {
      token: user.token,
    });
    expect([cancel.statusCode, (await held()).planned]).toEqual([200, null]);
    await purchase("priority");
    day(27);
    await run();
    expect((await held()).plan?.name).toBe("Business");
    day(28);
    await run();
    expect([(await held()).plan?.name, await centsOf(testApp, user)]).toEqual(["Priority", 100]);
    await purchase("free");
    testApp.clock.set(new Date("2031-04-01T00:00:00Z"));
    await run();
    user = { ...user, token: await openSession(testApp, user) };
    expect(await held()).toMatchObject({ plan: { name: "Free" }, period_ends_at: null });
  });

  test("that cannot be renewed ends with its period: the account has the free plan, and two mails", async () => {
    await giveMoney(testApp, user, 1_900);
    await purchase("priority");
    for (const days of [27, 27.5]) {
      day(days);
      await run();
    }
    expect((await held()).plan?.name).toBe("Priority");
    day(28);
    await run();
    expect([(await held()).plan?.name, await nameOfUser()]).toEqual(["Free", "Free"]);
    const subjects = await until(async () => {
      const mails = await mailsTo(testApp, user.email);
      const found = mails
        .map(({ subject }) => subject)
        .filter((each) => each.includes("support plan"));
      return found.length === 2 ? found : undefined;
    });
    expect(subjects).toEqual([
      "Your support plan could not be renewed",
      "Your support plan has ended",
    ]);
  });

  test("bought ten times at once in two processes is charged once", async () => {
    await giveMoney(testApp, user, 20_000);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        purchase("priority", index % 2 === 0 ? testApp : replica),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await centsOf(testApp, user)).toBe(18_100);
  });

  test("needs its price, and is not sold twice; an unknown one is refused", async () => {
    await giveMoney(testApp, user, 1_899);
    expect((await purchase("priority")).json().code).toBe("insufficient_funds");
    expect((await purchase("free")).json().code).toBe("plan_unavailable");
    const unknown = await call(testApp, routes.supportPlans.purchaseSupportPlan, {
      token: user.token,
      body: { support_plan_id: user.id },
    });
    expect([unknown.statusCode, unknown.json().code]).toEqual([409, "plan_unavailable"]);
    expect(await centsOf(testApp, user)).toBe(1_899);
  });
});
