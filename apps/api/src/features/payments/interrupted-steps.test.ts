import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { createDefaultCard } from "#src/features/payment-methods/payment-methods.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { saveCardAtStripe } from "#src/test-support/card-samples.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
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
import { createCardCharges } from "./card-charges.service.ts";
import { createPaymentProviders } from "./payment-provider.ts";
import { createRefundOrdering, requestRefund } from "./refunds.service.ts";
import { createReversalSettlement } from "./reversals.service.ts";
import { createSettlement } from "./settlement.service.ts";
import { createStripeCards } from "./stripe/stripe-cards.ts";
import { createStripeClient } from "./stripe/stripe-client.ts";
import { createStripeProvider } from "./stripe/stripe-provider.ts";

let world: StripeWorld;
let testApp: TestApp;
let user: TestUser;
let topUp: TopUp;
beforeAll(async () => {
  world = await createStripeWorld();
  ({ testApp } = world);
});
afterAll(() => world?.close());
beforeEach(async () => {
  user = await createUser(testApp);
  topUp = await beginTopUp(testApp, user, { amount: 20 });
  world.stripe.state.pay(referenceOf(topUp), "card");
  await confirm(testApp, user, topUp);
});
afterEach(() => requireWholeLedger(testApp));

const cash = async (): Promise<number> => (await balanceOf(testApp.platform.db, user.id)).cashCents;

/** The services of a process that ends at a step: nothing after it happens in that process. */
function processEndingAt(step: string) {
  const stripe = createStripeClient(stripeConfig(world.stripe));
  const { account } = world.stripe;
  const shared = {
    stripe,
    clock: testApp.clock,
    webhookSecret: world.stripe.webhookSecret,
    livemode: false,
    account: () => account,
    publicOrigin: () => "https://console.example.com",
  };
  const cards = createStripeCards(shared);
  const deps = {
    ...testApp.platform,
    providers: createPaymentProviders([createStripeProvider(shared)]),
    failpoint: (name: string) => {
      if (name === step) throw new Error(`ended at ${step}`);
    },
  };
  return {
    orderRefund: createRefundOrdering(deps),
    settleReversals: createReversalSettlement(deps),
    chargeSavedCard: createCardCharges({
      ...deps,
      cards,
      defaultCard: createDefaultCard(cards),
      settle: createSettlement(deps),
    }),
  };
}

test.each(["charge-prepared", "charge-confirmed", "credit-posted"])(
  "a process that ends at %s leaves a charge that another one finishes, once",
  async (step) => {
    await saveCardAtStripe(testApp, world.stripe, user.token);
    const key = `renewal:${newId()}`;
    const ended = processEndingAt(step).chargeSavedCard(user.id, 999, key);
    // A failure within the settlement is reported as an unknown end, with its cause.
    await expect(ended).rejects.toThrow(/ended at|unavailable/);
    expect((await world.replica.chargeSavedCard(user.id, 999, key)).outcome).toBe("paid");
    expect(await cash()).toBe(2_999);
    const taken = [...world.stripe.state.payments.values()].filter(
      ({ amount, status, customer }) =>
        amount === 999 &&
        status === "succeeded" &&
        world.stripe.state.customers.get(customer ?? "")?.metadata["user_id"] === user.id,
    );
    expect(taken).toHaveLength(1);
  },
);

test("a process that ends after a refund was ordered leaves one refund", async () => {
  const { db, jobs } = testApp.platform;
  const id = await db.transaction().execute((trx) =>
    requestRefund(trx, jobs, {
      intentId: topUp.intent.id,
      cents: 500,
      reason: "ordered twice",
      requestKey: newId(),
      now: testApp.clock.now(),
    }),
  );
  await processEndingAt("refund-ordered")
    .orderRefund(id)
    .catch(() => undefined);
  await until(async () => {
    const { status } = await db
      .selectFrom("payment_refunds")
      .select("status")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return status === "ordered";
  });
  const made = [...world.stripe.state.refunds.values()].filter(
    ({ payment_intent }) => payment_intent === paymentOf(world.stripe, topUp).id,
  );
  expect([made.map(({ amount }) => amount), await cash()]).toEqual([[500], 1_500]);
});

test("a process that ends while a dispute is posted leaves nothing half done", async () => {
  const mark = world.stripe.state.events.length;
  world.stripe.state.dispute(paymentOf(world.stripe, topUp));
  const ended = processEndingAt("reversal-posted").settleReversals(topUp.intent.id);
  await expect(ended).rejects.toThrow("ended at reversal-posted");
  expect(await cash()).toBe(2_000);
  await deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
  expect(await cash()).toBe(0);
});
