import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addPromoCode,
  beginTopUp,
  changeRecord,
  confirm,
  press,
} from "#src/test-support/test-payments.ts";
import { call, createUser, logIn, type TestUser } from "#src/test-support/test-users.ts";

const { createStripeIntent, createPaypalOrder, getPaymentOptions } = routes.billing;

let testApp: TestApp;
let replica: TestApp;
let user: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  user = await createUser(testApp);
});

function order(body: object, { app = testApp, key = "" } = {}) {
  return call(app, createStripeIntent, {
    token: user.token,
    body: { payment_method: "stripe", ...body },
    ...(key === "" ? {} : { headers: { "idempotency-key": key } }),
  });
}

async function options(app = testApp) {
  const answer = await call(app, getPaymentOptions, { token: user.token });
  return getPaymentOptions.response.parse(answer.json());
}

async function intentCount(): Promise<number> {
  const rows = await testApp.platform.db
    .selectFrom("payment_intents")
    .select("id")
    .where("user_id", "=", user.id)
    .execute();
  return rows.length;
}

describe("starting a top-up", () => {
  test("returns a checkout for the endpoint's payment method", async () => {
    const stripe = await order({ amount: 20 });
    expect(stripe.statusCode).toBe(201);
    expect(stripe.json().checkout_url).toMatch(/^\/sandbox\/checkout\/[\w-]{32}$/);
    const paypal = await call(testApp, createPaypalOrder, {
      token: user.token,
      body: { amount: 20, payment_method: "paypal" },
    });
    expect(paypal.json()).toMatchObject({
      approval_url: expect.stringMatching(/^\/sandbox\/checkout\//),
      intent: { payment_method: "paypal", is_sandbox: true, status: "pending", promo: null },
    });
  });

  test("refuses the other endpoint's method with 422 and names the field", async () => {
    const answer = await order({ amount: 20, payment_method: "paypal" });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues).toMatchObject([
      { path: "payment_method", code: "payment_method.mismatch" },
    ]);
  });

  test.each([
    ["1e3", "amount.digits"],
    ["20", "amount.digits"],
    ["１２", "amount.digits"],
    [-1, "amount.min"],
    [0, "amount.min"],
    [2 ** 53, "amount.digits"],
    [1_001, "amount.max"],
    [1.5, "amount.digits"],
    [null, "amount.digits"],
    [undefined, "amount.required"],
  ])("the amount %j is 422 %s", async (amount, code) => {
    const answer = await order({ amount });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0]).toMatchObject({ path: "amount", code });
    expect(await intentCount()).toBe(0);
  });

  test.each([
    [{ amount: 0 }, "Minimum amount is 1€", "Минимальная сумма — 1€"],
    [{ amount: 1_001 }, "Maximum amount is 1000€", "Максимальная сумма — 1000€"],
    [{ amount: "20" }, "Only whole euros, digits only", "Только целые евро, только цифры"],
    [{}, "Enter an amount", "Введите сумму"],
    [{ amount: 20, promo_code: "NO-SUCH" }, "Invalid promo code", "Неверный промокод"],
    [{ amount: 20, promo_code: " " }, "Enter a promo code", "Введите промокод"],
    [
      { amount: 20, payment_method: "cash" },
      "Payment method must be stripe or paypal",
      "Способ оплаты: stripe или paypal",
    ],
  ])("%j is refused in English and in Russian: %s", async (body, english, russian) => {
    for (const [language, text] of [
      ["en", english],
      ["ru", russian],
    ] as const) {
      const answer = await call(testApp, createStripeIntent, {
        token: user.token,
        body: { payment_method: "stripe", ...body },
        headers: { "accept-language": language },
      });
      expect([answer.statusCode, answer.json().issues[0].message]).toEqual([422, text]);
    }
  });

  test("starts nothing with a wrong promo code", async () => {
    const answer = await order({ amount: 20, promo_code: "NO-SUCH" });
    expect([answer.statusCode, answer.json().code]).toEqual([422, "promo_invalid"]);
    expect(answer.json().issues).toMatchObject([{ path: "promo_code" }]);
    expect(await intentCount()).toBe(0);
  });

  test("promises the bonus of a valid code on the intent", async () => {
    const code = await addPromoCode(testApp, { percentage: 15 });
    const { intent } = await beginTopUp(testApp, user, { amount: 7, promoCode: code });
    expect(intent).toMatchObject({
      bonus_amount: "1.05",
      total: "8.05",
      total_cents: 805,
      promo: { code, percentage: 15, state: "promised" },
    });
  });

  test("20 requests with one Idempotency-Key on two apis start one checkout; another body is refused", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        order({ amount: 20 }, { app: index % 2 === 0 ? testApp : replica, key: "modal-1" }),
      ),
    );
    const created = answers.filter(({ statusCode }) => statusCode === 201);
    expect(new Set(created.map((answer) => answer.json().checkout_url)).size).toBe(1);
    for (const answer of answers) {
      if (answer.statusCode !== 201) expect(answer.json().code).toBe("idempotency_in_progress");
    }
    expect(await intentCount()).toBe(1);
    const other = await order({ amount: 21 }, { key: "modal-1" });
    expect(other.json().code).toBe("idempotency_mismatch");
  });
});

describe("at most 1,000 euros a day", () => {
  test("holds when eight checkouts start at once on two apis", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        order({ amount: 300 }, { app: index % 2 === 0 ? testApp : replica }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
    const refused = answers.find(({ statusCode }) => statusCode === 422);
    expect(refused?.json()).toMatchObject({
      code: "daily_limit",
      message: "You can top up 100 € more today",
      issues: [{ path: "amount", message: "You can top up 100 € more today" }],
    });
    expect(await options()).toMatchObject({ minimum: 1, maximum: 100 });
    expect((await order({ amount: 100 })).statusCode).toBe(201);
    expect((await options()).maximum).toBe(0);
  });

  test("does not count cancelled top-ups, and counts paid ones until midnight UTC", async () => {
    testApp.clock.set(new Date("2031-03-01T23:00:00Z"));
    user = await createUser(testApp);
    const cancelled = await beginTopUp(testApp, user, { amount: 1_000 });
    expect((await options()).maximum).toBe(0);
    await press(testApp, cancelled, "cancel");
    await confirm(testApp, user, cancelled);
    expect((await options()).maximum).toBe(1_000);
    const paid = await beginTopUp(testApp, user, { amount: 999 });
    await changeRecord(testApp, paid, { status: "paid" });
    await confirm(testApp, user, paid);
    expect((await options()).maximum).toBe(1);
    testApp.clock.set(new Date("2031-03-02T00:00:00Z"));
    expect((await options()).maximum).toBe(1_000);
  });
});

describe("an expired top-up counts towards the day's limit", () => {
  test("until its provider refuses payments for it", async () => {
    const { intent } = await expire({ status: "open" });
    expect([intent.status, (await options()).maximum]).toEqual(["expired", 1_000]);
  });

  test("while its provider may still take the payment, so that no user tops up 2,000 by letting one expire", async () => {
    const { intent, topUp } = await expire({ expires_at: new Date("2100-01-01") });
    expect([intent.status, (await options()).maximum]).toEqual(["expired", 0]);
    expect((await order({ amount: 1 })).json().code).toBe("daily_limit");
    await changeRecord(testApp, topUp, { expires_at: testApp.clock.now() });
    await confirm(testApp, user, topUp);
    expect((await options()).maximum).toBe(1_000);
  });

  /** @param record what the provider's books then say, against its promise */
  async function expire(record: Parameters<typeof changeRecord>[2]) {
    const topUp = await beginTopUp(testApp, user, { amount: 1_000 });
    await changeRecord(testApp, topUp, record);
    testApp.clock.advance(51 * 60_000);
    return { topUp, intent: await confirm(testApp, user, topUp) };
  }
});

describe("another user's", () => {
  test.each([
    ["intent", routes.billing.getIntent],
    ["intent to confirm", routes.billing.confirmIntent],
    ["transaction", routes.billing.getTransaction],
  ] as const)("%s is 404", async (_, route) => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    const params = { id: topUp.intent.id };
    const stranger = await createUser(testApp);
    expect((await call(testApp, route, { token: stranger.token, params })).statusCode).toBe(404);
    expect((await call(testApp, route, { token: user.token, params })).statusCode).toBe(200);
  });
});

describe("production without keys", () => {
  let production: TestApp;
  let owner: TestUser;
  beforeAll(async () => {
    owner = await createUser(testApp);
    production = await createTestApp({ sharing: testApp, config: { development: false } });
    owner = await logIn(testApp, owner.email);
  });
  afterAll(() => production?.close());

  test("offers no method and starts nothing", async () => {
    const answer = await call(production, getPaymentOptions, { token: owner.token });
    expect(answer.json().methods).toEqual([
      { payment_method: "stripe", mode: "unavailable" },
      { payment_method: "paypal", mode: "unavailable" },
    ]);
    const refused = await call(production, createStripeIntent, {
      token: owner.token,
      body: { amount: 20, payment_method: "stripe" },
    });
    expect([refused.statusCode, refused.json().code]).toEqual([409, "payment_unavailable"]);
  });

  test("has neither the sandbox's page nor its webhook", async () => {
    user = owner;
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    const accept = { accept: "text/html" };
    const page = await production.app.inject({ url: topUp.url, headers: accept });
    expect(page.statusCode).toBe(404);
    const webhook = await call(production, routes.billing.receiveWebhook, {
      params: { provider: "sandbox" },
      body: {},
    });
    expect(webhook.statusCode).toBe(404);
    expect((await options()).methods).toEqual([
      { payment_method: "stripe", mode: "sandbox" },
      { payment_method: "paypal", mode: "sandbox" },
    ]);
  });
});
