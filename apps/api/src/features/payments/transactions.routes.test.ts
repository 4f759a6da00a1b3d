import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { charge } from "#src/features/ledger/ledger.service.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney, requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  addPromoCode,
  beginTopUp,
  changeRecord,
  confirm,
  press,
} from "#src/test-support/test-payments.ts";
import { createShield, enrolEdge, planIdOf } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

const { listTransactions, getTransaction } = routes.billing;

let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeLedger(testApp));

async function list(query: Readonly<Record<string, string>> = {}, language = "en") {
  const answer = await call(testApp, listTransactions, {
    token: user.token,
    query,
    headers: { "accept-language": language },
  });
  expect(answer.statusCode).toBe(200);
  return listTransactions.response.parse(answer.json());
}

async function paid(amount: number, promoCode?: string) {
  const topUp = await beginTopUp(testApp, user, {
    amount,
    ...(promoCode === undefined ? {} : { promoCode }),
  });
  await changeRecord(testApp, topUp, { status: "paid" });
  await confirm(testApp, user, topUp);
  testApp.clock.advance(1_000);
  return topUp;
}

describe("the list of transactions", () => {
  test("is empty for a new account", async () => {
    expect(await list()).toMatchObject({ data: [], per_page: 15, last_page: 1, total: 0 });
  });

  test("shows every movement, newest first, and adds up to the balance to the cent", async () => {
    const code = await addPromoCode(testApp, { percentage: 33 });
    const topUp = await paid(7, code);
    await giveMoney(testApp, user, 500);
    testApp.clock.advance(1_000);
    await createShield(testApp, user, {
      pricing_plan_id: await planIdOf(testApp, "plus"),
      server_name: "Skyline",
    });
    testApp.clock.advance(1_000);
    const open = await beginTopUp(testApp, user, { amount: 3 });

    const { data, total } = await list();
    expect(total).toBe(5);
    const facts = data.map(({ type, payment_method, amount, status, description }) =>
      [type, payment_method, amount, status, description].join(" | "),
    );
    expect(facts.slice(0, 3)).toEqual([
      "top_up | stripe | 3.00 | pending | Top-up by card or bank",
      "purchase | balance | -9.00 | completed | Game Shield Skyline",
      "adjustment | operator | 5.00 | completed | Adjustment by support",
    ]);
    expect(facts.slice(3).sort()).toEqual([
      `promo_bonus | promo | 2.31 | completed | Bonus of promo code ${code}`,
      "top_up | stripe | 7.00 | completed | Top-up by card or bank",
    ]);
    // A link to a top-up stays good from order to credit.
    expect(data.map(({ id }) => id)).toEqual(
      expect.arrayContaining([topUp.intent.id, open.intent.id]),
    );
    const sum = data
      .filter(({ status }) => status === "completed")
      .reduce((cents, { amount_cents }) => cents + amount_cents, 0);
    const answer = await call(testApp, routes.auth.user, { token: user.token });
    expect(sum).toBe(answer.json().user.balance_cents);
    expect(sum).toBe(531);
  });

  test("says what an upgrade and a support plan were for, before and after their invoice has a number", async () => {
    await giveMoney(testApp, user, 10_000);
    const shield = await createShield(testApp, user, { server_name: "Skyline" });
    const { db } = testApp.platform;
    const support = await db
      .selectFrom("support_plans")
      .select("id")
      .where("slug", "=", "priority")
      .executeTakeFirstOrThrow();
    const pro = await planIdOf(testApp, "pro");
    const end = "2030-02-15T12:00:00.000Z";
    const charges = [
      { businessKey: `upgrade:${shield.id}:${newId()}`, planId: pro },
      { businessKey: `support:${user.id}:${newId()}`, planId: support.id },
      { businessKey: `support-renewal:${user.id}:${end}`, kind: "renewal", planId: support.id },
    ] as const;
    await db.transaction().execute(async (trx) => {
      for (const { planId, ...order } of charges) {
        const at = testApp.clock.now();
        const period = { planId, startsAt: at, endsAt: new Date(end) };
        await charge(trx, { ...order, userId: user.id, cents: 100, at, period });
        testApp.clock.advance(1_000);
      }
    });
    const described = async (language: string) =>
      (await list({}, language)).data.slice(0, 3).map(({ description }) => description);
    const english = [
      "Renewal of the support plan Priority",
      "Support plan Priority",
      "Upgrade of Game Shield Skyline to Pro",
    ];
    const russian = [
      "Продление тарифа поддержки «Приоритетный»",
      "Тариф поддержки «Приоритетный»",
      "Улучшение тарифа Game Shield «Skyline» до Pro",
    ];
    expect(await described("en")).toEqual(english);
    expect(await described("ru")).toEqual(russian);
    await until(
      async () => (await db.selectFrom("documents_due").select("txn_id").execute()).length === 0,
      { what: "the invoices" },
    );
    expect(await described("en")).toEqual(english);
    expect(await described("ru")).toEqual(russian);
  });

  test("is in the language of the request", async () => {
    await paid(5);
    expect((await list({}, "ru")).data[0]?.description).toBe("Пополнение картой или через банк");
  });

  test("gives each transaction a short number that stays the same from order to credit", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 5 });
    const [listed] = (await list()).data;
    expect(listed?.transaction_id).toMatch(/^P-[0-9A-F]{5}-[0-9A-F]{5}$/);
    await changeRecord(testApp, topUp, { status: "paid" });
    await confirm(testApp, user, topUp);
    const answer = await call(testApp, getTransaction, {
      token: user.token,
      params: { id: topUp.intent.id },
    });
    expect(getTransaction.response.parse(answer.json()).transaction).toMatchObject({
      transaction_id: listed?.transaction_id,
      status: "completed",
      amount_cents: 500,
    });
  });

  test("shows a charge of cash and bonus as one line", async () => {
    await giveMoney(testApp, user, 100);
    await giveMoney(testApp, user, 100, "bonus");
    testApp.clock.advance(1_000);
    await testApp.platform.db.transaction().execute((trx) =>
      charge(trx, {
        userId: user.id,
        cents: 150,
        businessKey: `purchase:${user.id}`,
        at: testApp.clock.now(),
      }),
    );
    const { data } = await list({ type: "purchase" });
    expect(data.map(({ amount }) => amount)).toEqual(["-1.50"]);
  });

  test("is filtered by status, type and method", async () => {
    const code = await addPromoCode(testApp, { percentage: 10 });
    await paid(5, code);
    await giveMoney(testApp, user, 100);
    const cancelled = await beginTopUp(testApp, user, { amount: 4 });
    await press(testApp, cancelled, "cancel");
    await confirm(testApp, user, cancelled);
    const amounts = async (query: Readonly<Record<string, string>>) =>
      (await list(query)).data.map(({ amount }) => amount);
    expect(await amounts({ status: "cancelled" })).toEqual(["4.00"]);
    expect(await amounts({ type: "top_up", status: "completed" })).toEqual(["5.00"]);
    expect(await amounts({ payment_method: "promo" })).toEqual(["0.50"]);
    expect(await amounts({ payment_method: "operator" })).toEqual(["1.00"]);
    expect(await amounts({ type: "dispute" })).toEqual([]);
    const wrong = await call(testApp, listTransactions, {
      token: user.token,
      query: { status: "'; drop table users" },
    });
    expect(wrong.statusCode).toBe(422);
  });

  test("has pages that neither miss nor repeat a transaction", async () => {
    for (let count = 0; count < 20; count += 1) await giveMoney(testApp, user, 1 + count);
    const pages = [await list(), await list({ page: "2" }), await list({ page: "3" })];
    expect(pages.map(({ data }) => data.length)).toEqual([15, 5, 0]);
    expect(pages[2]).toMatchObject({ total: 20, last_page: 2, current_page: 3 });
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(20);
    for (const page of ["0", "-1", "1e309", "x"]) {
      const answer = await call(testApp, listTransactions, { token: user.token, query: { page } });
      expect(answer.statusCode).toBe(422);
    }
  });
});
