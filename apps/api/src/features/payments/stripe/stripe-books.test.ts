import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { purchaseFreeze } from "#src/features/ledger/purchase-freeze.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import { beginTopUp, confirm, referenceOf, type TopUp } from "#src/test-support/test-payments.ts";
import {
  createStripeWorld,
  deliverAll,
  eventsSince,
  paymentOf,
  stripeConfig,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";
import { checkBooks } from "../books.job.ts";
import { createPaymentProviders } from "../payment-provider.ts";
import type { ReportingProvider } from "../provider-books.service.ts";
import { listQuarantine } from "../quarantine.service.ts";
import { requestRefund } from "../refunds.service.ts";
import { createSettlement } from "../settlement.service.ts";
import { createStripeClient } from "./stripe-client.ts";
import { createStripeProvider } from "./stripe-provider.ts";

const dayMs = 86_400_000;

let world: StripeWorld;
let user: TestUser;
let provider: ReportingProvider;
let mark = 0;
beforeEach(async () => {
  world = await createStripeWorld();
  user = await createUser(world.testApp);
  mark = world.stripe.state.events.length;
  const { clock } = world.testApp;
  provider = createStripeProvider({
    stripe: createStripeClient(stripeConfig(world.stripe)),
    clock,
    webhookSecret: world.stripe.webhookSecret,
    livemode: false,
    account: () => world.stripe.account,
    publicOrigin: () => "https://console.example.com",
  });
});
afterEach(async () => {
  await requireWholeLedger(world.testApp);
  await world.close();
});

const db = () => world.testApp.platform.db;
const state = () => world.stripe.state;

async function pay(): Promise<TopUp> {
  const topUp = await beginTopUp(world.testApp, user, { amount: 20 });
  state().pay(referenceOf(topUp), "card");
  await confirm(world.testApp, user, topUp);
  return topUp;
}

const settled = () => deliverAll(world.testApp, world.stripe, eventsSince(world.stripe, mark));

/** The check of the next night. */
function night(): Promise<void> {
  world.testApp.clock.advance(dayMs);
  const providers = createPaymentProviders([provider]);
  const { platform } = world.testApp;
  const deps = { ...platform, providers };
  return checkBooks({ ...deps, settle: createSettlement(deps) });
}

const breaks = async () => (await verifyBooks(db())).breaks;
const freeze = () => purchaseFreeze(db());
const totals = () =>
  db()
    .selectFrom("provider_days")
    .select(["provider_cents", "ledger_cents", "differences"])
    .where("provider", "=", "stripe")
    .where("provider_cents", "<>", "0")
    .execute();

/** A payment that was made in the same account by other software. */
function strayPayment() {
  const foreign = state().createSession({
    mode: "payment",
    amount_total: 5_000,
    currency: "eur",
    cancel_url: "https://example.com",
    success_url: "https://example.com",
    client_reference_id: newId(),
    customer: null,
    expires_at: state().seconds() + 3_600,
    metadata: {},
    payment_metadata: {},
  });
  state().pay(foreign.id, "card");
  const payment = state().payments.get(foreign.payment_intent ?? "");
  if (payment === undefined) throw new Error("The stand-in has no payment");
  return payment;
}

describe("every night Stripe's list and the ledger", () => {
  test("fit with payments, refunds of both sides, one that the bank sent back, and disputes", async () => {
    const [refunded, returned, won, lost] = [await pay(), await pay(), await pay(), await pay()];
    await db()
      .transaction()
      .execute((trx) =>
        requestRefund(trx, world.testApp.platform.jobs, {
          intentId: refunded.intent.id,
          cents: 700,
          reason: "asked for",
          requestKey: newId(),
          now: world.testApp.clock.now(),
        }),
      );
    state().refund(paymentOf(world.stripe, refunded), 300);
    state().failRefund(state().refund(paymentOf(world.stripe, returned), 500));
    state().closeDispute(state().dispute(paymentOf(world.stripe, won)), "won");
    state().closeDispute(state().dispute(paymentOf(world.stripe, lost)), "lost");
    await until(() => state().refunds.size === 3, { what: "the refund that staff ordered" });
    await settled();
    await night();
    expect(await breaks()).toEqual([]);
    expect(await freeze()).toBeNull();
    expect(await totals()).toEqual([
      { provider_cents: "5000", ledger_cents: "5000", differences: [] },
    ]);
    expect((await balanceOf(db(), user.id)).cashCents).toBe(5_000);
  });

  test("fit over many pages of the list", async () => {
    for (let made = 0; made < 4; made += 1) await pay();
    const [payment] = state().payments.values();
    if (payment === undefined) throw new Error("The stand-in has no payment");
    for (let made = 0; made < 130; made += 1) state().refund(payment, 1);
    const { clock } = world.testApp;
    const from = new Date(clock.nowMs() - dayMs);
    expect(await provider.listMovements(from, clock.now())).toHaveLength(134);
    expect(
      world.stripe.calls.filter((each) => each.endsWith("/balance_transactions")),
    ).toHaveLength(2);
  });

  test("differ by a payment without a credit, which is found and credited if it was ordered here", async () => {
    const topUp = await beginTopUp(world.testApp, user, { amount: 20 });
    state().pay(referenceOf(topUp), "card");
    await db()
      .updateTable("payment_intents")
      .set({ next_poll_at: null, status: "expired", settled_at: world.testApp.clock.now() })
      .where("id", "=", topUp.intent.id)
      .execute();
    await night();
    expect((await balanceOf(db(), user.id)).cashCents).toBe(2_000);
    expect(await breaks()).toEqual([]);
  });

  test("differ by a credit that Stripe has no payment of", async () => {
    const topUp = await pay();
    state().balanceTransactions.length = 0;
    await night();
    const day = "2030-01-15";
    expect(await breaks()).toEqual([
      `stripe on ${day}: the ledger has top-up:${topUp.intent.id} of 20.00 EUR, the provider has not`,
    ]);
    expect((await freeze())?.reason).toContain("the provider has not");
  });

  test("differ by a refund that no event told of", async () => {
    const topUp = await pay();
    const { id } = state().refund(paymentOf(world.stripe, topUp), 500);
    await night();
    expect(await breaks()).toEqual([
      expect.stringContaining(`the provider has the refund ${id} of -5.00 EUR, the ledger has not`),
    ]);
  });

  test("differ by a payment that was not ordered here, until staff know of it; its refund is known as well", async () => {
    const payment = strayPayment();
    await night();
    expect(await breaks()).toEqual([
      expect.stringContaining(`the provider has the payment ${payment.latest_charge} of 50.00 EUR`),
    ]);
    state().refund(payment);
    await settled();
    expect(await listQuarantine(db())).toMatchObject([{ reference: payment.id }]);
    await night();
    expect(await breaks()).toEqual([]);
  });
});

describe("staff see in quarantine", () => {
  test("a payment that was not ordered here, once for all of its events", async () => {
    const payment = strayPayment();
    await settled();
    expect(await listQuarantine(db())).toMatchObject([
      {
        provider: "stripe",
        reference: payment.id,
        intent_id: null,
        user_id: null,
        amountCents: 5_000,
        currency: "EUR",
        account: world.stripe.account,
        reason: "this installation ordered no such payment",
      },
    ]);
  });

  test.each<[string, (payment: ReturnType<typeof strayPayment>) => void]>([
    ["amount", (payment) => (payment.amount_received = 1_999)],
    ["currency", (payment) => (payment.currency = "usd")],
  ])("a payment of another %s than was ordered", async (what, change) => {
    const topUp = await beginTopUp(world.testApp, user, { amount: 20 });
    state().pay(referenceOf(topUp), "card");
    change(paymentOf(world.stripe, topUp));
    await settled();
    expect(await listQuarantine(db())).toMatchObject([
      { reference: referenceOf(topUp), user_id: user.id, reason: expect.stringContaining(what) },
    ]);
    expect((await balanceOf(db(), user.id)).cashCents).toBe(0);
  });

  test.each<[string, (refund: { amount: number; currency: string }) => void, string]>([
    ["amount", (refund) => (refund.amount = 2_001), "refund: amount 2001 of 2000"],
    ["currency", (refund) => (refund.currency = "usd"), "refund: currency USD, not EUR"],
  ])("a refund of another %s than was paid, which moves nothing", async (_, change, reason) => {
    const topUp = await pay();
    const refund = state().refund(paymentOf(world.stripe, topUp), 500);
    change(refund);
    await settled();
    expect(await listQuarantine(db())).toMatchObject([
      { reference: refund.id, intent_id: topUp.intent.id, user_id: user.id, reason },
    ]);
    const [found] = await listQuarantine(db());
    expect(found?.amountCents).toBe(-refund.amount);
    expect((await balanceOf(db(), user.id)).cashCents).toBe(2_000);
  });

  test("a dispute of a payment that another account took, which moves nothing", async () => {
    const topUp = await pay();
    await db()
      .updateTable("payment_intents")
      .set({ provider_account: "acct_before" })
      .where("id", "=", topUp.intent.id)
      .execute();
    const dispute = state().dispute(paymentOf(world.stripe, topUp));
    await settled();
    expect(await listQuarantine(db())).toMatchObject([
      {
        reference: dispute.id,
        reason: `dispute: account ${world.stripe.account}, not acct_before`,
      },
    ]);
    expect((await balanceOf(db(), user.id)).cashCents).toBe(2_000);
  });

  test("nothing of an order that was not paid, of a saved card, or of a checkout that this process does not know yet", async () => {
    const topUp = await beginTopUp(world.testApp, user, { amount: 20 });
    await db()
      .updateTable("payment_intents")
      .set({ reference: null })
      .where("id", "=", topUp.intent.id)
      .execute();
    state().pay(referenceOf(topUp), "card");
    const unpaid = state().newPayment({
      amount: 500,
      currency: "eur",
      customer: null,
      payment_method: null,
      metadata: {},
    });
    state().cancel(unpaid);
    await settled();
    expect(await listQuarantine(db())).toEqual([]);
  });
});

describe("the country of the card", () => {
  const evidence = () =>
    db()
      .selectFrom("vat_evidence")
      .select(["source", "country"])
      .where("user_id", "=", user.id)
      .execute();

  test("is stored with a payment as evidence for VAT, and the newest counts", async () => {
    for (const country of ["AT", "SE"]) {
      const topUp = await beginTopUp(world.testApp, user, { amount: 20 });
      state().pay(referenceOf(topUp), "card", { country });
      await confirm(world.testApp, user, topUp);
      expect(await evidence()).toEqual([{ source: "card", country }]);
    }
  });

  test("is not stored with a payment that does not match", async () => {
    const topUp = await beginTopUp(world.testApp, user, { amount: 20 });
    state().pay(referenceOf(topUp), "card", { country: "AT" });
    paymentOf(world.stripe, topUp).amount_received = 1_999;
    await confirm(world.testApp, user, topUp);
    expect(await evidence()).toEqual([]);
  });
});
