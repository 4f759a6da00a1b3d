import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { requireWholeBooks } from "#src/test-support/test-money.ts";
import {
  addPromoCode,
  beginTopUp,
  changeRecord,
  confirm,
  openForm,
  poll,
  press,
  readIntent,
  referenceOf,
  sandboxDelivery,
  sendWebhook,
  type TopUp,
} from "#src/test-support/test-payments.ts";
import { call, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let replica: TestApp;
let user: TestUser;
const log: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp({ onLog: (line) => log.push(line) });
  replica = await createTestApp({ sharing: testApp });
  // Either may be the one that delivers the sandbox's event.
  await testApp.listen();
  await replica.listen();
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});
beforeEach(async () => {
  user = await createUser(testApp);
});
afterEach(() => requireWholeBooks(testApp));

const appOf = (index: number): TestApp => (index % 2 === 0 ? testApp : replica);
const balance = (of = user) => balanceOf(testApp.platform.db, of.id);
const nothing = { cashCents: 0, bonusCents: 0 };

async function txnKeys(): Promise<string[]> {
  const rows = await testApp.platform.db
    .selectFrom("ledger_txns")
    .innerJoin("ledger_postings", "ledger_postings.txn_id", "ledger_txns.id")
    .innerJoin("ledger_accounts", "ledger_accounts.id", "ledger_postings.account_id")
    .select("business_key")
    .where("ledger_accounts.user_id", "=", user.id)
    .orderBy("business_key")
    .execute();
  return rows.map((row) => row.business_key);
}

/** The sandbox's own record. */
async function recordStatus(topUp: TopUp): Promise<string> {
  const { status } = await testApp.platform.db
    .selectFrom("sandbox_checkouts")
    .select("status")
    .where("order_id", "=", topUp.intent.id)
    .executeTakeFirstOrThrow();
  return status;
}

/** Every event of the checkout has been worked. */
function worked(reference: string, events: number) {
  return until(async () => {
    const rows = await testApp.platform.db
      .selectFrom("provider_events")
      .select("worked_at")
      .where("reference", "=", reference)
      .execute();
    return rows.length === events && rows.every((row) => row.worked_at !== null);
  });
}

describe("a paid checkout", () => {
  test("is credited by the signed event alone, and the browser returns to billing", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    expect(topUp.intent).toMatchObject({ status: "pending", is_sandbox: true, total: "20.00" });
    expect(await press(testApp, topUp, "pay")).toBe(`/dashboard/billing?intent=${topUp.intent.id}`);
    await until(async () => (await balance()).cashCents === 2_000, { what: "the credit" });
    expect(await readIntent(testApp, user, topUp)).toMatchObject({
      status: "completed",
      amount_cents: 2_000,
      total_cents: 2_000,
    });
  });

  test("is in the audit log of the credited account", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 3 });
    await press(testApp, topUp, "pay");
    await worked(referenceOf(topUp), 1);
    const rows = await testApp.platform.db
      .selectFrom("audit_log")
      .select(["endpoint", "actor_kind"])
      .where("chain", "=", `user:${user.id}`)
      .where("endpoint", "like", "%webhooks%")
      .execute();
    expect(rows).toEqual([{ endpoint: "/api/v1/webhooks/:provider", actor_kind: "anonymous" }]);
  });

  test("is credited once when one event is delivered 20 times in parallel", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { status: "paid" });
    const id = newId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sendWebhook(appOf(index), topUp, "checkout.completed", id),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    await worked(referenceOf(topUp), 1);
    expect(await balance()).toEqual({ cashCents: 2_000, bonusCents: 0 });
    expect(await txnKeys()).toEqual([`top-up:${topUp.intent.id}`]);
  });

  test("is credited once by return page, webhooks and poller together on two apis", async () => {
    const code = await addPromoCode(testApp, { percentage: 10 });
    const topUp = await beginTopUp(testApp, user, { amount: 20, promoCode: code });
    testApp.clock.advance(61_000);
    await Promise.all([
      press(testApp, topUp, "pay"),
      ...Array.from({ length: 6 }, (_, index) => confirm(appOf(index), user, topUp)),
      ...Array.from({ length: 4 }, (_, index) =>
        sendWebhook(appOf(index), topUp, "checkout.completed"),
      ),
      poll(testApp),
      poll(replica),
    ]);
    await worked(referenceOf(topUp), 5);
    expect((await confirm(replica, user, topUp)).status).toBe("completed");
    expect(await balance()).toEqual({ cashCents: 2_000, bonusCents: 200 });
    expect(await txnKeys()).toEqual([
      `promo-bonus:${topUp.intent.id}`,
      `top-up:${topUp.intent.id}`,
    ]);
  });

  test("is credited by the poller when the webhook is lost and the payer does not return", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { status: "paid" });
    // Before its first turn the poller leaves it alone.
    await poll(testApp);
    testApp.clock.advance(61_000);
    await until(async () => {
      await poll(testApp);
      return (await balance()).cashCents === 2_000;
    });
    expect((await readIntent(testApp, user, topUp)).status).toBe("completed");
  });
});

describe("an unpaid or wrong record is not credited:", () => {
  test("a 'completed' event credits nothing until the checkout is paid", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    expect((await sendWebhook(testApp, topUp, "checkout.completed")).statusCode).toBe(200);
    await worked(referenceOf(topUp), 1);
    expect((await readIntent(testApp, user, topUp)).status).toBe("pending");
    expect(await balance()).toEqual(nothing);
    await changeRecord(testApp, topUp, { status: "paid" });
    expect((await confirm(testApp, user, topUp)).status).toBe("completed");
    expect(await balance()).toEqual({ cashCents: 2_000, bonusCents: 0 });
  });

  test.each([
    ["amount", { amount_cents: 1_999 }],
    ["currency", { currency: "USD" }],
    ["account", { account: "another account" }],
  ])("a record with another %s goes to review and is never credited", async (what, change) => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { ...change, status: "paid" });
    expect((await confirm(testApp, user, topUp)).status).toBe("review");
    expect(log.some((line) => line.includes(topUp.intent.id) && line.includes(what))).toBe(true);
    await sendWebhook(replica, topUp, "checkout.completed");
    await worked(referenceOf(topUp), 1);
    expect((await confirm(replica, user, topUp)).status).toBe("review");
    expect(await balance()).toEqual(nothing);
    const listed = await call(testApp, routes.billing.listTransactions, {
      token: user.token,
      query: { status: "review" },
    });
    expect(listed.json().data).toMatchObject([{ id: topUp.intent.id, status: "review" }]);
  });

  test("a cancelled checkout cannot be paid from a page left open", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    const leftOpen = await openForm(testApp, topUp);
    expect(await press(testApp, topUp, "cancel")).toBe(
      `/dashboard/billing?intent=${topUp.intent.id}&cancelled=1`,
    );
    await until(async () => (await readIntent(testApp, user, topUp)).status === "cancelled");
    const page = await testApp.app.inject({ url: topUp.url });
    expect(page.body).toContain("Nothing was taken");
    expect(page.body).not.toContain("<form");
    expect(await leftOpen.post("pay")).toContain("&cancelled=1");
    expect(await recordStatus(topUp)).toBe("cancelled");
    expect((await confirm(testApp, user, topUp)).status).toBe("cancelled");
    expect(await balance()).toEqual(nothing);
  });

  test("an expired checkout is ended by the poller and cannot be paid from a page left open", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    const leftOpen = await openForm(testApp, topUp);
    testApp.clock.advance(51 * 60_000);
    await until(async () => {
      await poll(testApp);
      return (await readIntent(testApp, user, topUp)).status === "expired";
    });
    const page = await testApp.app.inject({ url: topUp.url });
    expect(page.body).toContain("has expired");
    expect(await leftOpen.post("pay")).toContain("&cancelled=1");
    expect(await recordStatus(topUp)).toBe("open");
    expect((await confirm(testApp, user, topUp)).status).toBe("expired");
    expect(await balance()).toEqual(nothing);
  });

  test("money that arrives after expiry is still credited", async () => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    testApp.clock.advance(51 * 60_000);
    expect((await confirm(testApp, user, topUp)).status).toBe("expired");
    await changeRecord(testApp, topUp, { status: "paid" });
    await sendWebhook(testApp, topUp, "checkout.completed");
    await until(async () => (await balance()).cashCents === 2_000);
    expect((await readIntent(testApp, user, topUp)).status).toBe("completed");
  });

  test("a credited payment stays credited, whatever later events say", async () => {
    const turns = [
      { status: "cancelled", type: "checkout.cancelled" },
      { status: "paid", type: "checkout.completed" },
    ] as const;
    for (const [first, second] of [turns, turns.toReversed()]) {
      if (first === undefined || second === undefined) throw new Error("There are two turns");
      const topUp = await beginTopUp(testApp, user, { amount: 1 });
      await changeRecord(testApp, topUp, { status: first.status });
      await sendWebhook(testApp, topUp, first.type);
      await worked(referenceOf(topUp), 1);
      const between = first.status === "paid" ? "completed" : "cancelled";
      expect((await readIntent(testApp, user, topUp)).status).toBe(between);
      await changeRecord(testApp, topUp, { status: second.status });
      await sendWebhook(replica, topUp, second.type);
      await worked(referenceOf(topUp), 2);
      expect((await readIntent(testApp, user, topUp)).status).toBe("completed");
    }
    expect(await balance()).toEqual({ cashCents: 200, bonusCents: 0 });
  });

  test("the order of events does not matter, because the record is read", async () => {
    const types = ["checkout.cancelled", "checkout.completed"];
    for (const [order, status, ended] of [
      [types, "paid", "completed"],
      [types.toReversed(), "paid", "completed"],
      [types, "cancelled", "cancelled"],
      [types.toReversed(), "cancelled", "cancelled"],
    ] as const) {
      const topUp = await beginTopUp(testApp, user, { amount: 1 });
      await changeRecord(testApp, topUp, { status });
      for (const type of order) await sendWebhook(testApp, topUp, type);
      await worked(referenceOf(topUp), 2);
      expect((await readIntent(testApp, user, topUp)).status).toBe(ended);
    }
    expect(await balance()).toEqual({ cashCents: 200, bonusCents: 0 });
  });
});

describe("a forged, altered or stale delivery is refused with 400 and stores nothing:", () => {
  const deliver = (delivery: object) =>
    call(testApp, routes.billing.receiveWebhook, {
      params: { provider: "sandbox" },
      ...delivery,
    });

  test.each([
    ["without a signature", ({ body }: Signed) => ({ body, headers: {} })],
    [
      "re-serialised",
      ({ body, headers }: Signed) => ({
        body: JSON.stringify(JSON.parse(String(body)), null, 1),
        headers,
      }),
    ],
    [
      "of another id",
      ({ body, headers }: Signed) => ({ body, headers: { ...headers, "webhook-id": newId() } }),
    ],
    [
      "with a made-up signature",
      ({ body, headers }: Signed) => ({
        body,
        headers: { ...headers, "webhook-signature": `v1,${"A".repeat(43)}=` },
      }),
    ],
    ["empty", ({ headers }: Signed) => ({ body: "", headers })],
  ])("%s", async (_, forge) => {
    const topUp = await beginTopUp(testApp, user, { amount: 20 });
    await changeRecord(testApp, topUp, { status: "paid" });
    const event = { type: "checkout.completed", data: { reference: referenceOf(topUp) } };
    const answer = await deliver(forge(sandboxDelivery(testApp, event)));
    expect([answer.statusCode, answer.json().code]).toEqual([400, "bad_request"]);
    const stored = await testApp.platform.db
      .selectFrom("provider_events")
      .select("id")
      .where("reference", "=", referenceOf(topUp))
      .execute();
    expect(stored).toEqual([]);
    expect(await balance()).toEqual(nothing);
  });

  test.each([
    [-301, 400],
    [-299, 200],
    [299, 200],
    [301, 400],
  ])("signed %d s from now: %d", async (seconds, status) => {
    const at = new Date(testApp.clock.now().getTime() + seconds * 1000);
    const event = { type: "checkout.completed", data: { reference: newId() } };
    expect((await deliver(sandboxDelivery(testApp, event, { at }))).statusCode).toBe(status);
  });

  test("a provider that is not set up gets 404, an unknown one 422", async () => {
    const signed = sandboxDelivery(testApp, { type: "checkout.completed", data: {} });
    expect((await deliver({ ...signed, params: { provider: "stripe" } })).statusCode).toBe(404);
    expect((await deliver({ ...signed, params: { provider: "other" } })).statusCode).toBe(422);
  });
});

type Signed = ReturnType<typeof sandboxDelivery>;

describe("promo codes when a payment is credited", () => {
  test("a single-use code in two checkouts gives one bonus, and the other intent shows that it was not applied", async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await createUser(testApp);
      user = await createUser(testApp);
      const code = await addPromoCode(testApp, { percentage: 50, totalMax: 1 });
      const topUps = [
        { payer: user, topUp: await beginTopUp(testApp, user, { amount: 10, promoCode: code }) },
        { payer: other, topUp: await beginTopUp(replica, other, { amount: 10, promoCode: code }) },
      ];
      for (const { topUp } of topUps) await changeRecord(testApp, topUp, { status: "paid" });
      const intents = await Promise.all(
        topUps.map(({ payer, topUp }, index) => confirm(appOf(index), payer, topUp)),
      );
      expect(intents.map(({ status }) => status)).toEqual(["completed", "completed"]);
      expect(new Set(intents.map(({ promo }) => promo?.state))).toEqual(
        new Set(["applied", "not_applied"]),
      );
      expect(intents.map(({ bonus_cents }) => bonus_cents).sort((a, b) => a - b)).toEqual([0, 500]);
      const balances = await Promise.all([balance(user), balance(other)]);
      expect(balances.map(({ cashCents }) => cashCents)).toEqual([1_000, 1_000]);
      expect(balances.reduce((sum, { bonusCents }) => sum + bonusCents, 0)).toBe(500);
    }
  });

  test("the limit per user holds for two checkouts of the same user", async () => {
    const code = await addPromoCode(testApp, { percentage: 50, perUserMax: 1 });
    const topUps = [
      await beginTopUp(testApp, user, { amount: 10, promoCode: code }),
      await beginTopUp(testApp, user, { amount: 10, promoCode: code }),
    ];
    for (const topUp of topUps) await changeRecord(testApp, topUp, { status: "paid" });
    await Promise.all(topUps.map((topUp, index) => confirm(appOf(index), user, topUp)));
    expect(await balance()).toEqual({ cashCents: 2_000, bonusCents: 500 });
  });

  test("a code that ends while the payer is at the bank is still applied", async () => {
    const endsAt = new Date(testApp.clock.now().getTime() + 60_000);
    const code = await addPromoCode(testApp, { percentage: 10, endsAt });
    const topUp = await beginTopUp(testApp, user, { amount: 10, promoCode: code });
    testApp.clock.advance(120_000);
    await changeRecord(testApp, topUp, { status: "paid" });
    expect((await confirm(testApp, user, topUp)).promo?.state).toBe("applied");
    expect(await balance()).toEqual({ cashCents: 1_000, bonusCents: 100 });
  });
});
