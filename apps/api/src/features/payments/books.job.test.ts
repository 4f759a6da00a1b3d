import { routes } from "@palisade/contract/http/routes";
import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { balanceOf, charge } from "#src/features/ledger/ledger.service.ts";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { liftFreeze, purchaseFreeze } from "#src/features/ledger/purchase-freeze.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import { beginSubscription } from "#src/features/subscriptions/subscriptions.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { untilIssued } from "#src/test-support/test-documents.ts";
import { asOwner } from "#src/test-support/query-plan.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { giveMoney } from "#src/test-support/test-money.ts";
import { createShield, enrolEdge, shieldBody } from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { checkBooks } from "./books.job.ts";
import { createPaymentProviders } from "./payment-provider.ts";
import { createPaypal } from "./paypal/paypal.ts";
import type { ComparisonDeps } from "./provider-comparison.service.ts";
import { createSettlement } from "./settlement.service.ts";

let paypal: PaypalServer;
let testApp: TestApp;
let user: TestUser;
let deps: ComparisonDeps;
beforeEach(async () => {
  let now = () => new Date();
  paypal = await startPaypalServer({ now: () => now() });
  const { url: apiUrl, clientId, secret, merchantId, webhookId } = paypal;
  testApp = await createTestApp({
    config: { paypal: { mode: "sandbox", clientId, secret, merchantId, webhookId, apiUrl } },
  });
  now = () => testApp.clock.now();
  user = await createUser(testApp);
  const { platform } = testApp;
  const part = createPaypal(platform, () => "https://palisade.example.com");
  const providers = createPaymentProviders(part === undefined ? [] : [part.provider]);
  deps = { ...platform, providers, settle: createSettlement({ ...platform, providers }) };
});
afterEach(async () => {
  await testApp?.close();
  await paypal?.close();
});

const dayMs = 86_400_000;

async function begin() {
  const answer = await expectStatus(
    call(testApp, routes.billing.createPaypalOrder, {
      token: user.token,
      body: { amount: 20, payment_method: "paypal" },
    }),
    201,
  );
  const { approval_url: url, intent } = routes.billing.createPaypalOrder.response.parse(
    answer.json(),
  );
  return { intent, orderId: new URL(url).searchParams.get("token") ?? "" };
}

const confirm = (id: string) =>
  call(testApp, routes.billing.confirmIntent, { token: user.token, params: { id } });

async function pay() {
  const made = await begin();
  paypal.orders.approve(made.orderId);
  await confirm(made.intent.id);
  return made;
}

/** The check of the next night. */
function night(): Promise<void> {
  testApp.clock.advance(dayMs);
  return checkBooks(deps);
}

const cash = async () => (await balanceOf(testApp.platform.db, user.id)).cashCents;
const freeze = () => purchaseFreeze(testApp.platform.db);
const breaks = async () => (await verifyBooks(testApp.platform.db)).breaks;

describe("every night", () => {
  test("PayPal's list and the ledger are compared for each day, and fit", async () => {
    await pay();
    await pay();
    await night();
    const days = await testApp.platform.db
      .selectFrom("provider_days")
      .select(["provider_cents", "ledger_cents", "differences"])
      .where("provider_cents", "<>", "0")
      .execute();
    expect(days).toEqual([{ provider_cents: "4000", ledger_cents: "4000", differences: [] }]);
    expect(await breaks()).toEqual([]);
    expect(await freeze()).toBeNull();
  });

  test("a payment that no event, page or poll found in time is credited", async () => {
    const { intent, orderId } = await begin();
    paypal.orders.approve(orderId);
    paypal.orders.capture(orderId, undefined);
    await testApp.platform.db
      .updateTable("payment_intents")
      .set({ next_poll_at: null, status: "expired", settled_at: testApp.clock.now() })
      .where("id", "=", intent.id)
      .execute();
    await night();
    expect(await cash()).toBe(2_000);
    expect(await freeze()).toBeNull();
  });

  test("a payment in quarantine is known, and freezes nothing", async () => {
    const { intent, orderId } = await begin();
    paypal.orders.approve(orderId);
    paypal.orders.find(orderId).cents = 1_999;
    await confirm(intent.id);
    await night();
    expect(await breaks()).toEqual([]);
    expect(await freeze()).toBeNull();
  });

  test("money of which PayPal has nothing freezes purchases until staff lift that; it is found each night", async () => {
    const { orderId } = await pay();
    const order = paypal.orders.find(orderId);
    delete order.capture;
    testApp.clock.advance(dayMs);
    // As the schedule starts it.
    const { db, jobs } = testApp.platform;
    await db.transaction().execute((trx) => jobs.send(trx, "payments.books", {}));
    await until(async () => (await freeze()) !== null, { what: "the freeze" });
    expect((await freeze())?.reason).toContain("the provider has not");
    const day = "2030-01-15";
    expect(await breaks()).toEqual([
      expect.stringMatching(`^paypal on ${day}: the ledger has top-up:.* of 20.00 EUR`),
    ]);
    const staff = await createStaff(testApp);
    const lift = { by: staff.id, at: testApp.clock.now(), reason: "Known" };
    expect(await testApp.platform.db.transaction().execute((trx) => liftFreeze(trx, lift))).toBe(
      true,
    );
    expect(await freeze()).toBeNull();
    await night();
    expect((await freeze())?.reason).toContain("the provider has not");
  });

  test("a PayPal that does not answer freezes nothing", async () => {
    await pay();
    await paypal.close();
    await expect(night()).rejects.toThrow("fetch failed");
    expect(await freeze()).toBeNull();
    expect(await breaks()).toEqual([]);
  });
});

describe("the check of the books finds", () => {
  const owner = (statement: string) => asOwner(testApp, (client) => client.query(statement));

  test.each([
    [
      "a completed intent that was not credited",
      (id: string) => `
        delete from documents using ledger_txns t where txn_id = t.id and business_key = 'top-up:${id}';
        delete from ledger_postings using ledger_txns t where txn_id = t.id and business_key = 'top-up:${id}';
        delete from ledger_txns where business_key = 'top-up:${id}';
        update ledger_balances set cents = cents - 2000 where cents >= 2000`,
      (id: string) => `intent ${id}: it is completed, but was not credited`,
    ],
    [
      "an intent that was credited with another amount",
      (id: string) => `update payment_intents set amount_cents = 1900 where id = '${id}'`,
      (id: string) => `intent ${id}: 19.00 were paid and 20.00 credited`,
    ],
    [
      "a credit whose intent is not completed",
      (id: string) => `update payment_intents set status = 'cancelled' where id = '${id}'`,
      (id: string) => `txn top-up:${id}: its intent is cancelled, not completed`,
    ],
  ])("%s", async (_, statement, found) => {
    const { intent } = await pay();
    await untilIssued(testApp);
    expect(await breaks()).toEqual([]);
    await owner(statement(intent.id));
    expect(await breaks()).toEqual([found(intent.id)]);
  });
});

describe("the check of paid periods finds", () => {
  const bought = async () => {
    await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
    await giveMoney(testApp, user, 10_000);
    const shield = await createShield(testApp, user, await shieldBody(testApp, user, "plus"));
    expect(await breaks()).toEqual([]);
    return shield.id;
  };
  const move = (id: string, interval: string) =>
    asOwner(testApp, (client) =>
      client.query(
        `update subscriptions set period_starts_at = period_starts_at + $2::interval,
         period_ends_at = period_ends_at + $2::interval where shield_id = $1`,
        [id, interval],
      ),
    );

  test("a period that was begun without a charge, and not one that was charged a day before", async () => {
    const id = await bought();
    await move(id, "23 hours");
    expect(await breaks()).toEqual([]);
    await move(id, "2 hours");
    expect(await breaks()).toEqual([expect.stringMatching(`^shield ${id}: .* charged 0 times$`)]);
  });

  test("nothing wrong with a free shield that was upgraded, or whose first period the operator gave", async () => {
    await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
    const { db } = testApp.platform;
    const now = testApp.clock.now();
    await giveMoney(testApp, user, 10_000);
    const upgraded = await createShield(testApp, user);
    const given = await createShield(testApp, user, { domain: "given.example.com" });
    const priceCents = 900;
    const planId = (await shieldBody(testApp, user, "plus")).pricing_plan_id;
    for (const { id: shieldId } of [upgraded, given]) {
      await db
        .transaction()
        .execute((trx) => beginSubscription(trx, { shieldId, planId, priceCents, now }));
    }
    expect(await breaks()).toHaveLength(2);
    const businessKey = `upgrade:${upgraded.id}:${newId()}`;
    const order = { userId: user.id, cents: priceCents, businessKey, at: now };
    await db.transaction().execute((trx) => charge(trx, order));
    await db
      .transaction()
      .execute((trx) =>
        recordChange(trx, { shieldId: given.id, now, isOperator: true }, "plan", [
          { field: "plan", before: "Free", after: "Plus" },
        ]),
      );
    expect(await breaks()).toEqual([]);
  });

  test("a period that was charged twice, and a charge without a shield", async () => {
    const id = await bought();
    const [again, stray] = [`renewal:${id}:2030-02-15T12:00:00.000Z`, `purchase:${newId()}`];
    for (const businessKey of [again, stray]) {
      const order = { userId: user.id, cents: 1, businessKey, at: testApp.clock.now() };
      await testApp.platform.db.transaction().execute((trx) => charge(trx, order));
    }
    expect(await breaks()).toEqual([
      expect.stringMatching(`^shield ${id}: .* charged 2 times$`),
      `txn ${stray}: there is no such shield`,
    ]);
  });
});

describe("while purchases are frozen", () => {
  test("a purchase is refused with words, and free shields and top-ups go on", async () => {
    await giveMoney(testApp, user, 10_000);
    const { orderId } = await pay();
    delete paypal.orders.find(orderId).capture;
    await night();
    await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
    const buy = async (plan: "plus" | "free") =>
      call(testApp, routes.servers.createServer, {
        token: user.token,
        body: await shieldBody(testApp, user, plan),
      });
    const refused = await buy("plus");
    expect([refused.statusCode, refused.json().code]).toEqual([409, "purchases_frozen"]);
    expect(refused.json().message).toContain("Your shields stay protected");
    expect((await buy("free")).statusCode).toBe(201);
    const before = await cash();
    await pay();
    expect(await cash()).toBe(before + 2_000);
  });
});
