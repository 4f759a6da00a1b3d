import { routes } from "@palisade/contract/http/routes";
import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { requestRefund } from "#src/features/payments/refunds.service.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { requireWholeBooks } from "#src/test-support/test-money.ts";
import { poll } from "#src/test-support/test-payments.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let paypal: PaypalServer;
let testApp: TestApp;
let replica: TestApp;
let user: TestUser;
beforeAll(async () => {
  let now = () => new Date();
  paypal = await startPaypalServer({ now: () => now() });
  const { url: apiUrl, clientId, secret, merchantId, webhookId } = paypal;
  const config = {
    paypal: { mode: "sandbox", clientId, secret, merchantId, webhookId, apiUrl },
    publicUrl: "https://palisade.example.com",
  } as const;
  testApp = await createTestApp({ config });
  now = () => testApp.clock.now();
  replica = await createTestApp({ sharing: testApp, config });
  const origin = await testApp.listen();
  paypal.webhooks.sendTo(`${origin}/api/v1/webhooks/paypal`);
});
afterAll(async () => {
  await paypal?.webhooks.settled();
  await replica?.close();
  await testApp?.close();
  await paypal?.close();
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(async () => {
  await paypal.webhooks.release();
  await paypal.webhooks.settled();
  paypal.orders.setCaptureOutcome("COMPLETED");
  await requireWholeBooks(testApp);
});

const cash = async () => (await balanceOf(testApp.platform.db, user.id)).cashCents;

async function begin(amount = 20) {
  const answer = await expectStatus(
    call(testApp, routes.billing.createPaypalOrder, {
      token: user.token,
      body: { amount, payment_method: "paypal" },
    }),
    201,
  );
  const { approval_url: url, intent } = routes.billing.createPaypalOrder.response.parse(
    answer.json(),
  );
  return { url, intent, orderId: new URL(url).searchParams.get("token") ?? "" };
}

/** Presses a button of PayPal's page; returns where the browser is sent. */
async function press(url: string, action: "approve" | "cancel"): Promise<URL> {
  const body = new URLSearchParams({ action });
  const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "");
}

const confirm = async (app: TestApp, id: string) => {
  const answer = await call(app, routes.billing.confirmIntent, {
    token: user.token,
    params: { id },
  });
  return routes.billing.confirmIntent.response.parse(answer.json()).intent;
};

/** Every event that has arrived is processed. */
const processedAll = () =>
  until(
    async () =>
      (
        await testApp.platform.db
          .selectFrom("provider_events")
          .select("id")
          .where("worked_at", "is", null)
          .execute()
      ).length === 0,
    { what: "the end of every event" },
  );

const txns = async (id: string) => {
  const rows = await testApp.platform.db
    .selectFrom("ledger_txns")
    .select("business_key")
    .where("business_key", "like", `%${id}`)
    .execute();
  return rows.map(({ business_key }) => business_key);
};

describe("a PayPal top-up", () => {
  test("is offered as real, and the card method as unavailable", async () => {
    const answer = await call(testApp, routes.billing.getPaymentOptions, { token: user.token });
    expect(answer.json().methods).toEqual([
      { payment_method: "stripe", mode: "unavailable" },
      { payment_method: "paypal", mode: "live" },
    ]);
  });

  test("is credited by the webhook alone, and the browser returns to billing", async () => {
    const { url, intent } = await begin();
    expect(intent).toMatchObject({ status: "pending", is_sandbox: false });
    const back = await press(url, "approve");
    expect(back.pathname).toBe("/dashboard/billing");
    expect(back.searchParams.get("intent")).toBe(intent.id);
    await until(async () => (await cash()) === 2_000, { what: "the credit" });
    expect(await txns(intent.id)).toEqual([`top-up:${intent.id}`]);
    const evidence = await testApp.platform.db
      .selectFrom("vat_evidence")
      .select(["source", "country"])
      .where("user_id", "=", user.id)
      .execute();
    expect(evidence).toEqual([{ source: "wallet", country: "DE" }]);
  });

  test("that was ordered elsewhere goes to quarantine once it has arrived, and is never taken by this installation", async () => {
    const amount = { currency_code: "EUR", value: "50.00" };
    const context = { return_url: "https://example.com", cancel_url: "https://example.com" };
    const made = paypal.orders.create(
      {
        intent: "CAPTURE",
        purchase_units: [{ amount }],
        payment_source: { paypal: { experience_context: context } },
      },
      "another shop",
    );
    const { id } = made.body as { id: string };
    paypal.orders.approve(id);
    await paypal.webhooks.settled();
    await processedAll();
    expect(paypal.orders.find(id).capture).toBeUndefined();
    paypal.orders.capture(id, undefined);
    const found = () =>
      testApp.platform.db
        .selectFrom("quarantined_payments")
        .select(["intent_id", "amount_cents", "currency", "account"])
        .where("reference", "=", paypal.orders.find(id).capture?.id ?? "")
        .execute();
    await until(async () => (await found()).length > 0, { what: "the case" });
    expect(await found()).toEqual([
      { intent_id: null, amount_cents: "5000", currency: "EUR", account: paypal.merchantId },
    ]);
  });

  test("is credited once by webhooks, return pages and pollers together on two apis", async () => {
    paypal.webhooks.hold();
    const { url, intent } = await begin();
    await press(url, "approve");
    testApp.clock.advance(61_000);
    await Promise.all([
      ...[testApp, replica, testApp, replica].map((app) => confirm(app, intent.id)),
      paypal.webhooks.release({ times: 3, reversed: true }),
      poll(testApp),
      poll(replica),
    ]);
    expect((await confirm(replica, intent.id)).status).toBe("completed");
    expect(await cash()).toBe(2_000);
    expect(await txns(intent.id)).toEqual([`top-up:${intent.id}`]);
  });

  test("is credited by the poller when every webhook is lost and the payer does not return", async () => {
    paypal.webhooks.sendTo(undefined);
    const { url } = await begin();
    await press(url, "approve");
    testApp.clock.advance(61_000);
    await until(async () => {
      await poll(testApp);
      return (await cash()) === 2_000;
    });
    paypal.webhooks.sendTo(`${await testApp.listen()}/api/v1/webhooks/paypal`);
  });

  test("that was cancelled credits nothing, and can still be approved from the page", async () => {
    const { url, intent } = await begin();
    const back = await press(url, "cancel");
    expect(back.searchParams.get("cancelled")).toBe("1");
    expect((await confirm(testApp, intent.id)).status).toBe("pending");
    expect(await cash()).toBe(0);
    await press(url, "approve");
    await until(async () => (await cash()) === 2_000);
  });

  test("that is approved after its end is not captured, and ends", async () => {
    const { url, intent, orderId } = await begin();
    testApp.clock.advance(46 * 60_000);
    await press(url, "approve");
    await until(async () => (await confirm(testApp, intent.id)).status === "expired");
    expect(paypal.orders.find(orderId).capture).toBeUndefined();
    expect(await cash()).toBe(0);
  });

  test.each(["lost-answer", "500"] as const)(
    "is ordered and captured once, although answers end with %s",
    async (kind) => {
      paypal.addFaults({ on: /POST .*orders$/, kind }, { on: /capture$/, kind });
      const { url, intent, orderId } = await begin();
      await press(url, "approve");
      await until(async () => (await cash()) === 2_000);
      const ofIntent = paypal.orders.all().filter(({ customId }) => customId === intent.id);
      expect(ofIntent.map(({ id }) => id)).toEqual([orderId]);
    },
  );

  test("that PayPal has not decided about waits, and is credited once it has", async () => {
    paypal.orders.setCaptureOutcome("PENDING");
    const { url, intent, orderId } = await begin();
    await press(url, "approve");
    await until(() => paypal.orders.find(orderId).capture !== undefined);
    testApp.clock.advance(2 * 86_400_000);
    expect((await confirm(testApp, intent.id)).status).toBe("pending");
    paypal.orders.decideCapture(orderId, "COMPLETED");
    await until(async () => (await cash()) === 2_000);
  });

  test.each([
    ["amount", { cents: 1_999 }],
    ["currency", { currency: "USD" }],
    ["account", { payee: "ANOTHERACC123" }],
    ["intent", { customId: "00000000-0000-4000-8000-000000000000" }],
  ])("whose record has another %s goes to quarantine and is not credited", async (what, change) => {
    const { url, intent, orderId } = await begin();
    Object.assign(paypal.orders.find(orderId), change);
    await press(url, "approve");
    await until(async () => (await confirm(testApp, intent.id)).status === "review");
    expect(await cash()).toBe(0);
    const found = await testApp.platform.db
      .selectFrom("quarantined_payments")
      .select(["provider", "reference", "user_id", "status", "reason"])
      .where("intent_id", "=", intent.id)
      .execute();
    expect(found).toEqual([
      {
        provider: "paypal",
        reference: orderId,
        user_id: user.id,
        status: "open",
        reason: expect.stringContaining(what),
      },
    ]);
  });

  test("is refused with 503 while PayPal does not answer, and the same call later begins it", async () => {
    const fault = { on: /POST .*orders$/, kind: "503" } as const;
    paypal.addFaults(fault, fault, fault, fault);
    const options = {
      token: user.token,
      body: { amount: 20, payment_method: "paypal" } as const,
      headers: { "idempotency-key": `paypal-${user.id}` },
    };
    const first = await call(testApp, routes.billing.createPaypalOrder, options);
    expect([first.statusCode, first.json().code]).toEqual([503, "unavailable"]);
    const second = await call(testApp, routes.billing.createPaypalOrder, options);
    expect(second.statusCode).toBe(201);
  });
});

describe("money that went back at PayPal", () => {
  const paid = async () => {
    const { url, intent, orderId } = await begin();
    await press(url, "approve");
    await until(async () => (await cash()) === 2_000);
    return { intent, orderId };
  };

  test("by a refund of staff: the cash is taken once, and PayPal sends it once in spite of lost answers", async () => {
    const { intent, orderId } = await paid();
    paypal.addFaults({ on: /refund$/, kind: "lost-answer" }, { on: /refund$/, kind: "500" });
    const { db, jobs } = testApp.platform;
    await db.transaction().execute((trx) =>
      requestRefund(trx, jobs, {
        intentId: intent.id,
        cents: 1_500,
        reason: "Ticket 7",
        requestKey: intent.id,
        now: testApp.clock.now(),
      }),
    );
    expect(await cash()).toBe(500);
    await until(async () => {
      const row = await db
        .selectFrom("payment_refunds")
        .select("status")
        .where("intent_id", "=", intent.id)
        .executeTakeFirst();
      return row?.status === "ordered";
    });
    await paypal.webhooks.settled();
    expect(paypal.orders.find(orderId).refunds.map(({ cents }) => cents)).toEqual([1_500]);
    expect(await cash()).toBe(500);
  });

  test("by a refund in PayPal's dashboard: the cash is taken once, however often it is told", async () => {
    const { orderId } = await paid();
    const captureId = paypal.orders.find(orderId).capture?.id ?? "";
    paypal.webhooks.hold();
    paypal.orders.refund(captureId, { amount: { currency_code: "EUR", value: "7.00" } }, undefined);
    await paypal.webhooks.release({ times: 3 });
    await until(async () => (await cash()) === 1_300);
  });

  test("by a dispute: the cash is taken, and comes back once the seller has won", async () => {
    const { orderId } = await paid();
    const id = paypal.orders.openDispute(orderId);
    await until(async () => (await cash()) === 0);
    paypal.orders.resolveDispute(id, "RESOLVED_SELLER_FAVOUR");
    await until(async () => (await cash()) === 2_000);
  });
});
