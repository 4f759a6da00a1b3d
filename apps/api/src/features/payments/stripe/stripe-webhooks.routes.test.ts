import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { StripeEvent } from "@palisade/testing/stripe/objects";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { listQuarantine } from "#src/features/payments/quarantine.service.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import {
  beginTopUp,
  readIntent,
  referenceOf,
  type TopUp,
} from "#src/test-support/test-payments.ts";
import {
  createStripeWorld,
  deliver,
  eventsSince,
  processed,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import { createUser, type TestUser } from "#src/test-support/test-users.ts";

let world: StripeWorld;
let user: TestUser;
let topUp: TopUp;
let completed: StripeEvent;
beforeAll(async () => {
  world = await createStripeWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  user = await createUser(world.testApp);
  topUp = await beginTopUp(world.testApp, user, { amount: 20 });
  const mark = world.stripe.state.events.length;
  world.stripe.state.pay(referenceOf(topUp), "card");
  const found = eventsSince(world.stripe, mark).find(
    ({ type }) => type === "checkout.session.completed",
  );
  if (found === undefined) throw new Error("The stand-in sent no event");
  completed = found;
});
afterEach(() => requireWholeLedger(world.testApp));

const send = (event = completed, options = {}) =>
  deliver(world.testApp, world.stripe, event, options);
const stored = () =>
  world.testApp.platform.db
    .selectFrom("provider_events")
    .select("id")
    .where("event_id", "=", completed.id)
    .execute();
const minutesAgo = (minutes: number): Date =>
  new Date(world.testApp.clock.nowMs() - minutes * 60_000);

describe("a delivery of Stripe", () => {
  test("is accepted and credits the top-up", async () => {
    expect((await send()).statusCode).toBe(200);
    await processed(world.testApp, [completed]);
    expect((await readIntent(world.testApp, user, topUp)).status).toBe("completed");
    expect(await balanceOf(world.testApp.platform.db, user.id)).toEqual({
      cashCents: 2_000,
      bonusCents: 0,
    });
  });

  test.each([
    ["signed with another secret", () => ({ secret: "whsec_another0000000000000000000" })],
    ["signed more than five minutes ago", () => ({ at: minutesAgo(6) })],
  ])("%s is refused and stored nowhere", async (_, options) => {
    expect((await send(completed, options())).statusCode).toBe(400);
    expect(await stored()).toEqual([]);
  });

  test("signed less than five minutes ago is accepted", async () => {
    expect((await send(completed, { at: minutesAgo(4) })).statusCode).toBe(200);
    await processed(world.testApp, [completed]);
  });

  test("in live mode is refused where the key is a test key", async () => {
    expect((await send({ ...completed, livemode: true })).statusCode).toBe(400);
    expect(await stored()).toEqual([]);
  });

  test("with an altered body is refused", async () => {
    const { headers } = world.stripe.delivery(completed);
    const body = JSON.stringify({ ...completed, created: completed.created + 1 });
    const answer = await world.testApp.app.inject({
      method: "POST",
      url: "/api/v1/webhooks/stripe",
      headers,
      payload: body,
    });
    expect(answer.statusCode).toBe(400);
    expect(await stored()).toEqual([]);
  });

  test("that claims more than the record credits what the record says", async () => {
    const lie = { ...completed, data: { object: { ...completed.data.object, amount_total: 9 } } };
    expect((await send(lie)).statusCode).toBe(200);
    await processed(world.testApp, [completed]);
    expect((await balanceOf(world.testApp.platform.db, user.id)).cashCents).toBe(2_000);
  });

  test("that is repeated, by both processes at once, is stored once and credits once", async () => {
    const both = [world.testApp, world.replica];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        deliver(both[index % 2] ?? world.testApp, world.stripe, completed),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    await processed(world.testApp, [completed]);
    expect(await stored()).toHaveLength(1);
    expect((await balanceOf(world.testApp.platform.db, user.id)).cashCents).toBe(2_000);
  });

  test("about a payment of another installation goes to quarantine and changes no balance", async () => {
    const foreign = world.stripe.state.createSession({
      mode: "payment",
      amount_total: 5_000,
      currency: "eur",
      cancel_url: "https://example.com",
      success_url: "https://example.com",
      client_reference_id: user.id,
      customer: null,
      expires_at: world.stripe.state.seconds() + 3_600,
      metadata: {},
      payment_metadata: {},
    });
    const mark = world.stripe.state.events.length;
    world.stripe.state.pay(foreign.id, "card");
    const events = eventsSince(world.stripe, mark);
    for (const event of events) expect((await send(event)).statusCode).toBe(200);
    await processed(world.testApp, events);
    const { db } = world.testApp.platform;
    expect((await balanceOf(db, user.id)).cashCents).toBe(0);
    expect(await listQuarantine(db)).toMatchObject([
      { reference: foreign.payment_intent, user_id: null, amountCents: 5_000 },
    ]);
  });
});
