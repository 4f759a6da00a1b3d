import { routes } from "@palisade/contract/http/routes";
import { seededRandom, shuffled } from "@palisade/testing/seeded-random";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  addPromoCode,
  beginTopUp,
  confirm,
  poll,
  readIntent,
  referenceOf,
  type TopUp,
} from "#src/test-support/test-payments.ts";
import {
  createStripeWorld,
  deliver,
  deliverAll,
  eventsSince,
  paymentOf,
  processed,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";

const minuteMs = 60_000;

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
afterEach(() => requireWholeLedger(testApp));

const begin = (amount = 20) => beginTopUp(testApp, user, { amount });
const balance = () => balanceOf(testApp.platform.db, user.id);
const newEvents = () => eventsSince(world.stripe, mark);

async function cancel(topUp: TopUp) {
  const answer = await expectStatus(
    call(testApp, routes.billing.closeIntent, {
      token: user.token,
      params: { id: topUp.intent.id },
    }),
    200,
  );
  return routes.billing.closeIntent.response.parse(answer.json()).intent;
}

const polled = (condition: () => Promise<boolean>) =>
  until(async () => {
    await poll(testApp);
    return condition();
  });

async function reviewReason(topUp: TopUp): Promise<string | null> {
  const { review_reason } = await testApp.platform.db
    .selectFrom("payment_intents")
    .select("review_reason")
    .where("id", "=", topUp.intent.id)
    .executeTakeFirstOrThrow();
  return review_reason;
}

describe("a top-up by Stripe", () => {
  test("is offered as a live method, and PayPal without keys is not", async () => {
    const answer = await call(testApp, routes.billing.getPaymentOptions, { token: user.token });
    const { methods } = routes.billing.getPaymentOptions.response.parse(answer.json());
    expect(methods).toEqual([
      { payment_method: "stripe", mode: "live" },
      { payment_method: "paypal", mode: "unavailable" },
    ]);
  });

  test("orders a checkout of the amount, in euros, that returns to the billing page", async () => {
    const topUp = await begin(35);
    expect(topUp.url).toBe(`${world.stripe.apiUrl}/c/pay/${referenceOf(topUp)}`);
    expect(world.stripe.state.session(referenceOf(topUp))).toMatchObject({
      mode: "payment",
      amount_total: 3_500,
      currency: "eur",
      client_reference_id: topUp.intent.id,
      success_url: expect.stringMatching(`/dashboard/billing\\?intent=${topUp.intent.id}$`),
      cancel_url: expect.stringMatching(
        `/dashboard/billing\\?intent=${topUp.intent.id}&cancelled=1$`,
      ),
    });
  });

  test("paid with 3-D Secure on the hosted page is credited on return, with its bonus", async () => {
    const promoCode = await addPromoCode(testApp, { percentage: 10 });
    const topUp = await beginTopUp(testApp, user, { amount: 50, promoCode });
    const press = (action: string) =>
      fetch(topUp.url, {
        method: "POST",
        body: new URLSearchParams({ action }),
        redirect: "manual",
      });
    expect(await (await press("challenge")).text()).toContain("Your bank");
    const answer = await press("approve");
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringContaining(`intent=${topUp.intent.id}`),
    ]);
    expect((await confirm(testApp, user, topUp)).status).toBe("completed");
    expect(await balance()).toEqual({ cashCents: 5_000, bonusCents: 500 });
  });

  test("after a declined card can be paid with another one", async () => {
    const topUp = await begin();
    expect(world.stripe.state.pay(referenceOf(topUp), "declined card")).toContain("declined");
    await deliverAll(testApp, world.stripe, newEvents());
    expect((await confirm(testApp, user, topUp)).status).toBe("pending");
    world.stripe.state.pay(referenceOf(topUp), "card");
    expect((await confirm(testApp, user, topUp)).status).toBe("completed");
    expect((await balance()).cashCents).toBe(2_000);
  });

  test("cancelled by the payer takes no payment any more, and leaves the day's limit free", async () => {
    const topUp = await begin(1_000);
    expect((await cancel(topUp)).status).toBe("cancelled");
    expect(world.stripe.state.pay(referenceOf(topUp), "card")).toContain("not open");
    expect((await begin(1_000)).intent.status).toBe("pending");
    expect((await balance()).cashCents).toBe(0);
  });

  test("cancelled in one tab after it was paid in another is credited", async () => {
    const topUp = await begin();
    world.stripe.state.pay(referenceOf(topUp), "card");
    expect((await cancel(topUp)).status).toBe("completed");
    expect((await balance()).cashCents).toBe(2_000);
  });

  test("that expires is closed by the event, and nothing is credited", async () => {
    const topUp = await begin();
    testApp.clock.advance(46 * minuteMs);
    world.stripe.state.session(referenceOf(topUp));
    await deliverAll(testApp, world.stripe, newEvents());
    expect((await readIntent(testApp, user, topUp)).status).toBe("expired");
    expect((await balance()).cashCents).toBe(0);
  });

  test("paid in two tabs, each with a checkout of its own, is credited twice and each once", async () => {
    const both = [await begin(), await begin()];
    for (const topUp of both) world.stripe.state.pay(referenceOf(topUp), "card");
    const events = newEvents();
    await deliverAll(testApp, world.stripe, [...events, ...events]);
    expect((await balance()).cashCents).toBe(4_000);
  });

  test("by bank debit waits for the bank, then is credited or not", async () => {
    const [good, bad] = [await begin(20), await begin(30)];
    for (const topUp of [good, bad]) world.stripe.state.pay(referenceOf(topUp), "bank debit");
    await deliverAll(testApp, world.stripe, newEvents());
    testApp.clock.advance(3 * 24 * 60 * minuteMs);
    expect((await confirm(testApp, user, good)).status).toBe("pending");
    const before = world.stripe.state.events.length;
    world.stripe.state.finishDebit(referenceOf(good), "succeeded");
    world.stripe.state.finishDebit(referenceOf(bad), "failed");
    await deliverAll(testApp, world.stripe, eventsSince(world.stripe, before));
    expect((await readIntent(testApp, user, good)).status).toBe("completed");
    expect((await readIntent(testApp, user, bad)).status).toBe("cancelled");
    expect((await balance()).cashCents).toBe(2_000);
  });

  test("is credited by the poller when no event arrives and the payer does not return", async () => {
    const topUp = await begin();
    world.stripe.state.pay(referenceOf(topUp), "card");
    testApp.clock.advance(2 * minuteMs);
    await polled(async () => (await balance()).cashCents === 2_000);
    expect((await readIntent(testApp, user, topUp)).status).toBe("completed");
  });
});

describe("a record that does not match its order", () => {
  test.each<[string, (topUp: TopUp) => void, RegExp]>([
    [
      "another amount",
      (topUp) => void (paymentOf(world.stripe, topUp).amount_received = 1_999),
      /^amount 1999, not 2000$/,
    ],
    [
      "another currency",
      (topUp) => void (paymentOf(world.stripe, topUp).currency = "usd"),
      /^currency USD, not EUR$/,
    ],
    [
      "live mode",
      (topUp) => void (world.stripe.state.session(referenceOf(topUp)).livemode = true),
      /^account acct_1StandIn00000000 in live mode, not acct_1StandIn00000000$/,
    ],
    [
      "another intent",
      (topUp) =>
        void (world.stripe.state.session(referenceOf(topUp)).client_reference_id = "another"),
      /^intent another, not /,
    ],
  ])("%s goes to review and credits nothing", async (_, alter, reason) => {
    const topUp = await begin();
    world.stripe.state.pay(referenceOf(topUp), "card");
    alter(topUp);
    await deliverAll(testApp, world.stripe, newEvents());
    expect((await readIntent(testApp, user, topUp)).status).toBe("review");
    expect(await reviewReason(topUp)).toMatch(reason);
    expect((await balance()).cashCents).toBe(0);
  });
});

describe("a lost answer of Stripe", () => {
  test("to an order leaves one checkout, which the repeated call returns", async () => {
    // The SDK repeats an unanswered call once by itself.
    world.stripe.inject("lost", /POST .*\/checkout\/sessions$/, 2);
    const key = { "idempotency-key": `lost-${user.id}` };
    const order = () =>
      call(testApp, routes.billing.createStripeIntent, {
        token: user.token,
        headers: key,
        body: { amount: 20, payment_method: "stripe" },
      });
    expect((await order()).statusCode).toBe(503);
    const answer = await expectStatus(order(), 201);
    const { intent, checkout_url } = routes.billing.createStripeIntent.response.parse(
      answer.json(),
    );
    const sessions = [...world.stripe.state.sessions.values()].filter(
      ({ client_reference_id }) => client_reference_id === intent.id,
    );
    expect(sessions.map(({ url }) => url)).toEqual([checkout_url]);
  });

  test.each([["500"], ["lost"]] as const)(
    "to reading the record (%s) is made up for by the next try",
    async (fault) => {
      const topUp = await begin();
      world.stripe.state.pay(referenceOf(topUp), "card");
      world.stripe.inject(fault, /GET .*\/checkout\/sessions\/cs_/, 2);
      expect((await confirm(testApp, user, topUp)).status).toBe("pending");
      expect((await confirm(testApp, user, topUp)).status).toBe("completed");
      expect((await balance()).cashCents).toBe(2_000);
    },
  );

  test("held back is overtaken by another reading, and credits nothing a second time", async () => {
    const topUp = await begin();
    world.stripe.state.pay(referenceOf(topUp), "card");
    const release = world.stripe.inject("held", /GET .*\/checkout\/sessions\/cs_/);
    const slow = confirm(testApp, user, topUp);
    await until(() => world.stripe.calls.at(-1)?.includes(referenceOf(topUp)));
    expect((await confirm(world.replica, user, topUp)).status).toBe("completed");
    release();
    expect((await slow).status).toBe("completed");
    expect((await balance()).cashCents).toBe(2_000);
  });
});

describe("events in any order, repeated, in two processes, with returns in between", () => {
  const seeds = Array.from({ length: 24 }, (_, seed) => seed);
  test.each(seeds)("credit once what was paid (seed %i)", async (seed) => {
    const random = seededRandom(seed);
    const topUps = [await begin(10), await begin(20), await begin(40)];
    const paid = topUps.filter(() => random(3) > 0);
    for (const topUp of paid) world.stripe.state.pay(referenceOf(topUp), "card");
    const events = newEvents();
    const repeated = [...events, ...events.filter(() => random(2) === 0)];
    await Promise.all(
      shuffled(repeated, random).map(async (event) => {
        const order = random(1_000);
        const app = order % 2 === 0 ? testApp : world.replica;
        await deliver(app, world.stripe, event);
        const topUp = topUps[order % topUps.length];
        if (topUp !== undefined && order % 3 === 0) await confirm(app, user, topUp);
      }),
    );
    if (events.length > 0) await processed(testApp, events);
    const expected = paid.reduce((sum, { intent }) => sum + intent.amount_cents, 0);
    expect((await balance()).cashCents).toBe(expected);
  });
});
