import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "#src/test-support/command-line.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { requireWholeBooks } from "#src/test-support/test-money.ts";
import { buyShield, stopSchedules, subscriptionOf } from "#src/test-support/test-renewals.ts";
import { enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  // Commands go by the real time, which is years before the api's: its job would end what they begin.
  await stopSchedules(testApp);
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});

const palisade = (...args: readonly string[]) => runCommandLine(testApp, args);

const commandsOf = async (chain: string) => {
  const rows = await testApp.platform.db
    .selectFrom("audit_log")
    .select("endpoint")
    .where("chain", "=", chain)
    .where("method", "=", "CLI")
    .orderBy("seq")
    .execute();
  return rows.map(({ endpoint }) => endpoint);
};

async function offers() {
  const answer = await call(testApp, routes.plans.listPricingPlans, { token: user.token });
  return routes.plans.listPricingPlans.response
    .parse(answer.json())
    .plans.map(({ name, price }) => `${name} ${price}`);
}

async function currentSupport() {
  const answer = await call(testApp, routes.supportPlans.getSupportSubscription, {
    token: user.token,
  });
  return routes.supportPlans.getSupportSubscription.response.parse(answer.json());
}

describe("plan price, plan retire and plan offer", () => {
  test("change what is sold from now on; present subscriptions keep their price until they are moved", async () => {
    const { shield } = await buyShield(testApp, "plus");
    const held = async () => (await subscriptionOf(testApp, shield.id))?.price_cents;
    expect(await palisade("plan", "price", "plus", "12.50")).toEqual({
      code: 0,
      stdout: "plus costs 12.50 EUR a month\n",
      stderr: "",
    });
    expect((await palisade("plan", "price", "plus", "12.50")).stdout).toContain("already");
    expect(await offers()).toContain("Plus 12.50");
    expect(await held()).toBe("900");
    const listed = (await palisade("plan", "list")).stdout;
    expect(listed).toContain(
      "plan plus  Plus  12.50 EUR  on offer  1 shields, 1 at another price\n",
    );
    expect(listed).toContain("support plan priority  Priority  19.00 EUR  on offer  0 accounts\n");
    const moved = ["shield", "plan", shield.cname_record, "plus", "--reason", "Agreed"];
    expect((await palisade(...moved)).stdout).toContain("is on the plan plus");
    expect((await palisade(...moved)).stdout).toContain("was on the plan plus");
    expect(await held()).toBe("1250");

    expect((await palisade("plan", "retire", "plus")).stdout).toBe("plus is retired\n");
    expect((await palisade("plan", "retire", "plus")).stdout).toBe("plus is retired already\n");
    expect((await offers()).join()).not.toContain("Plus");
    expect((await palisade("plan", "list")).stdout).toContain("plus  Plus  12.50 EUR  retired");
    expect(await held()).toBe("1250");
    expect((await palisade("plan", "offer", "plus")).stdout).toBe("plus is on offer\n");
    expect((await palisade("plan", "price", "plus", "9")).stdout).toContain("9.00 EUR");
    expect(await offers()).toContain("Plus 9.00");
    expect(await commandsOf("system")).toEqual([
      "plan price plus 12.50",
      "plan retire plus",
      "plan offer plus",
      "plan price plus 9.00",
    ]);
    await requireWholeBooks(testApp);
  });

  test("change the price of a support plan", async () => {
    expect((await palisade("plan", "price", "business", "120", "--support")).code).toBe(0);
    const answer = await call(testApp, routes.plans.listSupportPlans, { token: user.token });
    const { plans } = routes.plans.listSupportPlans.response.parse(answer.json());
    expect(plans.map(({ price }) => price)).toContain("120.00");
  });

  test.each<[readonly string[], number, string]>([
    [["plan", "price", "gold", "9"], 1, "There is no plan gold"],
    [["plan", "price", "plus", "9", "--support"], 1, "There is no support plan plus"],
    [["plan", "price", "free", "9"], 1, "free is free and stays so"],
    [["plan", "retire", "free"], 1, "free is free and stays so"],
    [["plan", "price", "plus", "0"], 2, "give 0.01 to 10000.00"],
    [["plan", "price", "plus"], 2, "Give a plan and its price"],
    [["plan", "retire"], 2, "Give one plan"],
    [["plan", "list", "all"], 2, "takes nothing"],
    [["support", "plan", "unknown@example.com", "priority", "--reason", "x"], 1, "no confirmed"],
    [["support", "plan", "a@example.com", "gold", "--reason", "x"], 1, "no support plan gold"],
    [["support", "plan", "a@example.com", "priority"], 2, "--reason"],
    [["support", "plan", "a@example.com", "--reason", "x"], 2, "Give the e-mail"],
  ])("%j is refused", async (args, code, text) => {
    const answer = await palisade(...args);
    expect([answer.code, answer.stderr]).toEqual([code, expect.stringContaining(text)]);
  });
});

describe("support plan", () => {
  test("puts an account on a support plan without a charge, and back on the free one", async () => {
    const set = (slug: string) =>
      palisade("support", "plan", user.email, slug, "--reason", "Sponsored");
    expect(await set("priority")).toEqual({
      code: 0,
      stdout: `${user.email} is on the support plan priority\n`,
      stderr: "",
    });
    expect((await set("priority")).stdout).toContain("was on");
    const { plan, price, period_ends_at } = await currentSupport();
    expect([plan?.name, price]).toEqual(["Priority", "19.00"]);
    expect(period_ends_at).not.toBeNull();
    expect((await set("business")).code).toBe(0);
    expect(await currentSupport()).toMatchObject({ plan: { name: "Business" }, period_ends_at });
    await requireWholeBooks(testApp);
    expect((await set("free")).code).toBe(0);
    expect((await currentSupport()).plan?.name).toBe("Free");
    expect(await commandsOf(`user:${user.id}`)).toEqual([
      "support plan priority: Sponsored",
      "support plan business: Sponsored",
      "support plan free: Sponsored",
    ]);
    const txns = await testApp.platform.db
      .selectFrom("ledger_txns")
      .select("id")
      .where("business_key", "like", `%${user.id}%`)
      .execute();
    expect(txns).toEqual([]);
  });
});
