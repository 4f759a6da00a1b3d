import type { Updateable } from "kysely";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import type { Database } from "#src/schema/database.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { requireWholeDocuments, untilIssued } from "#src/test-support/test-documents.ts";
import { requireWholeBooks } from "#src/test-support/test-money.ts";
import { beginTopUp, confirm, referenceOf } from "#src/test-support/test-payments.ts";
import { createStubCards, jobDeps, runRenewals } from "#src/test-support/test-renewals.ts";
import {
  createStripeWorld,
  deliverAll,
  eventsSince,
  paymentOf,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

let world: StripeWorld;
let testApp: TestApp;
let user: TestUser;
let mark = 0;
beforeAll(async () => {
  world = await createStripeWorld();
  ({ testApp } = world);
});
afterAll(() => world?.close());
beforeEach(async () => {
  user = await createUser(testApp);
  mark = world.stripe.state.events.length;
});
afterEach(async () => {
  await requireWholeBooks(testApp);
  await requireWholeDocuments(testApp);
});

const state = () => world.stripe.state;
const remove = () =>
  call(testApp, routes.account.deleteAccount, { token: user.token, body: { email: user.email } });
const settled = () => deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
const cash = async () => (await balanceOf(testApp.platform.db, user.id)).cashCents;

async function topUp(amount: number) {
  const begun = await beginTopUp(testApp, user, { amount });
  state().pay(referenceOf(begun), "card");
  await confirm(testApp, user, begun);
  return begun;
}

async function saveCard() {
  const { token } = user;
  const { setupCard, confirmCardSetup } = routes.paymentMethods;
  const answer = await expectStatus(call(testApp, setupCard, { token }), 201);
  const { checkout_url, setup } = setupCard.response.parse(answer.json());
  const card = state().saveCard(checkout_url.split("/").at(-1) ?? "");
  const params = { setupId: setup.id };
  await expectStatus(call(testApp, confirmCardSetup, { token, params }), 200);
  return card;
}

/** Everything is spent on a support plan; a card and an automatic top-up are there. */
async function spender() {
  const paid = await topUp(19);
  const card = await saveCard();
  const { id: support_plan_id } = await testApp.platform.db
    .selectFrom("support_plans")
    .select("id")
    .where("slug", "=", "priority")
    .executeTakeFirstOrThrow();
  const { token } = user;
  await expectStatus(
    call(testApp, routes.supportPlans.purchaseSupportPlan, { token, body: { support_plan_id } }),
    200,
  );
  await expectStatus(
    call(testApp, routes.automaticPayments.updateAutomaticTopUp, {
      token,
      body: { enabled: true, threshold: 10, amount: 20 },
    }),
    200,
  );
  await untilIssued(testApp);
  return { paid, card };
}

const countOf = async (
  table:
    | "support_subscriptions"
    | "automatic_top_ups"
    | "saved_cards"
    | "vat_evidence"
    | "documents"
    | "payment_intents",
) =>
  (
    await testApp.platform.db
      .selectFrom(table)
      .select("user_id")
      .where("user_id", "=", user.id)
      .execute()
  ).length;

describe("the deletion of an account", () => {
  test("ends support plan, automatic top-up and cards, here and at Stripe; ledger, payments and documents stay", async () => {
    const { card } = await spender();
    const before = await testApp.platform.db
      .selectFrom("documents")
      .selectAll()
      .where("user_id", "=", user.id)
      .orderBy("id")
      .execute();
    expect(before.map(({ kind }) => kind).toSorted()).toEqual(["invoice", "receipt"]);
    await expectStatus(remove(), 200);
    for (const table of ["support_subscriptions", "automatic_top_ups", "saved_cards"] as const) {
      expect(await countOf(table), table).toBe(0);
    }
    expect(await countOf("vat_evidence")).toBe(0);
    await until(() => state().cards.get(card.id)?.customer === null, { what: "the card to go" });
    const after = await testApp.platform.db
      .selectFrom("documents")
      .selectAll()
      .where("user_id", "=", user.id)
      .orderBy("id")
      .execute();
    expect(after).toEqual(before);
    expect(after[0]?.buyer).toMatchObject({ email: user.email });
    expect(await countOf("payment_intents")).toBe(1);
    expect(await cash()).toBe(0);
  });

  test("leaves nothing that is renewed or topped up, however long one waits", async () => {
    await spender();
    await expectStatus(remove(), 200);
    const calls = world.stripe.calls.length;
    testApp.clock.advance(40 * 86_400_000);
    const stub = createStubCards(() => testApp);
    await runRenewals(jobDeps(testApp, stub.cards));
    expect(stub.charges).toEqual([]);
    expect(world.stripe.calls.slice(calls).filter((each) => each.includes("confirm"))).toEqual([]);
    expect(await cash()).toBe(0);
  });

  test("is refused while a checkout or a charge of a saved card is open", async () => {
    await beginTopUp(testApp, user, { amount: 5 });
    const isRefused = async () => {
      const answer = await remove();
      expect([answer.statusCode, answer.json().message]).toEqual([
        409,
        "A payment is still in progress. Try again once it is finished",
      ]);
    };
    await isRefused();
    const change = (values: Updateable<Database["payment_intents"]>) =>
      testApp.platform.db
        .updateTable("payment_intents")
        .set(values)
        .where("user_id", "=", user.id)
        .execute();
    await change({
      origin: "saved_card",
      business_key: `card:${user.id}`,
      charged_customer: "cus_1",
      charged_card: "pm_1",
    });
    await isRefused();
    await change({ status: "review", review_reason: "amount", settled_at: testApp.clock.now() });
    await isRefused();
    await change({ status: "cancelled", review_reason: null });
    await expectStatus(remove(), 200);
  });

  test("does not stop a dispute: the books have what the bank took", async () => {
    const { paid } = await spender();
    await expectStatus(remove(), 200);
    state().dispute(paymentOf(world.stripe, paid));
    await settled();
    expect(await cash()).toBe(-1_900);
  });

  test("does not lose a payment that arrives after it: staff can send it back, and no country is kept", async () => {
    const late = await beginTopUp(testApp, user, { amount: 20 });
    await testApp.platform.db
      .updateTable("payment_intents")
      .set({ status: "expired", settled_at: testApp.clock.now() })
      .where("user_id", "=", user.id)
      .execute();
    await expectStatus(remove(), 200);
    state().pay(referenceOf(late), "card");
    await settled();
    expect(await cash()).toBe(2_000);
    expect(await countOf("vat_evidence")).toBe(0);
    await untilIssued(testApp);
  });
});
