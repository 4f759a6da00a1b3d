import { routes } from "@palisade/contract/http/routes";
import { seededRandom, shuffled } from "@palisade/testing/seeded-random";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf, charge } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import { beginTopUp, confirm, referenceOf, type TopUp } from "#src/test-support/test-payments.ts";
import {
  createStripeWorld,
  deliver,
  deliverAll,
  eventsSince,
  paymentOf,
  processed,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import { call, createUser, type TestUser } from "#src/test-support/test-users.ts";
import { requestRefund } from "./refunds.service.ts";

let world: StripeWorld;
let testApp: TestApp;
let user: TestUser;
let topUp: TopUp;
let mark = 0;
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
  mark = world.stripe.state.events.length;
});
afterEach(() => requireWholeLedger(testApp));

const cash = async (): Promise<number> => (await balanceOf(testApp.platform.db, user.id)).cashCents;
const payment = () => paymentOf(world.stripe, topUp);
const newEvents = () => eventsSince(world.stripe, mark);
const settled = () => deliverAll(testApp, world.stripe, newEvents());

/** The user buys something for all or part of the cash. */
const spend = (cents: number) =>
  testApp.platform.db.transaction().execute((trx) =>
    charge(trx, {
      userId: user.id,
      cents,
      businessKey: `purchase:${newId()}`,
      at: testApp.clock.now(),
    }),
  );

const refund = (cents: number, requestKey = newId(), app = testApp) =>
  app.platform.db.transaction().execute((trx) =>
    requestRefund(trx, app.platform.jobs, {
      intentId: topUp.intent.id,
      cents,
      reason: "ordered twice",
      requestKey,
      now: testApp.clock.now(),
    }),
  );
const refundStatus = async (id: string) =>
  (
    await testApp.platform.db
      .selectFrom("payment_refunds")
      .select("status")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
  ).status;
const ordered = (id: string) => until(async () => (await refundStatus(id)) === "ordered");
const refundsAtStripe = () =>
  [...world.stripe.state.refunds.values()]
    .filter(({ payment_intent }) => payment_intent === payment().id)
    .map(({ amount }) => amount);

async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof DomainError ? error.code : undefined;
}

describe("a refund that staff order", () => {
  test("takes the cash at once and is sent to the payer once", async () => {
    const id = await refund(500);
    expect(await cash()).toBe(1_500);
    await ordered(id);
    await settled();
    expect(refundsAtStripe()).toEqual([500]);
    expect(await cash()).toBe(1_500);
  });

  test("under one key is one refund, from two processes at once as well", async () => {
    const key = newId();
    const ids = await Promise.all(
      [testApp, world.replica, testApp, world.replica].map((app) => refund(500, key, app)),
    );
    expect(new Set(ids).size).toBe(1);
    await ordered(ids[0] ?? "");
    expect(refundsAtStripe()).toEqual([500]);
    expect(await cash()).toBe(1_500);
    expect(await refusal(refund(600, key))).toBe("conflict");
  });

  test("is still one refund when answers are lost", async () => {
    world.stripe.inject("lost", /POST .*\/refunds$/, 3);
    await ordered(await refund(700));
    expect(refundsAtStripe()).toEqual([700]);
    expect(await cash()).toBe(1_300);
  });

  test("is refused for more than was paid, for more than is left, and for spent money", async () => {
    expect(await refusal(refund(2_001))).toBe("conflict");
    await refund(1_500);
    expect(await refusal(refund(600))).toBe("conflict");
    await spend(400);
    expect(await refusal(refund(500))).toBe("insufficient_funds");
    expect(await cash()).toBe(100);
  });

  test("that Stripe refuses for good gives the cash back", async () => {
    world.stripe.state.dispute(payment());
    const id = await refund(500);
    await until(async () => (await refundStatus(id)) === "failed");
    expect(await cash()).toBe(2_000);
    // The dispute itself is told by its event.
    await settled();
    expect(await cash()).toBe(0);
  });

  test("that the payer's bank sends back gives the cash back, once", async () => {
    const id = await refund(500);
    await ordered(id);
    const [made] = [...world.stripe.state.refunds.values()].slice(-1);
    if (made === undefined) throw new Error("There is no refund");
    world.stripe.state.failRefund(made);
    const events = newEvents();
    await deliverAll(testApp, world.stripe, [...events, ...events.toReversed()]);
    expect(await cash()).toBe(2_000);
    expect(await refundStatus(id)).toBe("failed");
  });
});

describe("a refund that was made at Stripe itself", () => {
  test("is taken from the cash once, however often and in whatever order it is reported", async () => {
    world.stripe.state.refund(payment(), 300);
    world.stripe.state.refund(payment(), 200);
    const events = newEvents();
    await deliverAll(testApp, world.stripe, [...events.toReversed(), ...events]);
    expect(await cash()).toBe(1_500);
  });

  test("leaves a debt where the money was spent", async () => {
    await spend(1_900);
    world.stripe.state.refund(payment());
    await settled();
    expect(await cash()).toBe(-1_900);
  });

  test("reported before the payment itself credits the payment first", async () => {
    const other = await beginTopUp(testApp, user, { amount: 40 });
    world.stripe.state.pay(referenceOf(other), "card");
    world.stripe.state.refund(paymentOf(world.stripe, other), 1_000);
    await deliverAll(
      testApp,
      world.stripe,
      newEvents().filter(({ type }) => type === "charge.refunded"),
    );
    expect(await cash()).toBe(2_000 + 4_000 - 1_000);
  });
});

describe("a dispute", () => {
  test("takes the money, and being lost changes nothing more", async () => {
    const opened = world.stripe.state.dispute(payment());
    await settled();
    expect(await cash()).toBe(0);
    world.stripe.state.closeDispute(opened, "lost");
    await settled();
    expect(await cash()).toBe(0);
  });

  test("leaves a debt where the money was spent, which a win pays back", async () => {
    await spend(1_500);
    const opened = world.stripe.state.dispute(payment());
    await settled();
    expect(await cash()).toBe(-1_500);
    expect(await refusal(spend(1))).toBe("insufficient_funds");
    world.stripe.state.closeDispute(opened, "won");
    await settled();
    expect(await cash()).toBe(500);
  });

  test("without any delivery of its events is found by comparing Stripe's own list", async () => {
    world.stripe.state.dispute(payment());
    const { db, jobs } = testApp.platform;
    await db.transaction().execute((trx) => jobs.send(trx, "payments.missed-events", {}));
    await until(async () => (await cash()) === 0);
    const listed = newEvents().filter(({ type }) => type.startsWith("charge.dispute"));
    await processed(testApp, listed);
    // A late delivery of the same is known already.
    await deliverAll(testApp, world.stripe, listed);
    expect(await cash()).toBe(0);
  });

  test("that is only an inquiry takes nothing", async () => {
    const opened = world.stripe.state.dispute(payment(), "inquiry");
    await settled();
    expect(await cash()).toBe(2_000);
    world.stripe.state.closeDispute(opened, "warning_closed");
    await settled();
    expect(await cash()).toBe(2_000);
  });

  test("that grows out of an inquiry takes the money then", async () => {
    const opened = world.stripe.state.dispute(payment(), "inquiry");
    world.stripe.state.withdraw(opened);
    await settled();
    expect(await cash()).toBe(0);
  });

  test.each(Array.from({ length: 12 }, (_, seed) => seed))(
    "won, reported to two processes in any order, ends whole (order %i)",
    async (seed) => {
      await spend(1_000);
      const opened = world.stripe.state.dispute(payment());
      const early = newEvents();
      const reports = early.map((event) => deliver(testApp, world.stripe, event));
      world.stripe.state.closeDispute(opened, "won");
      const events = newEvents();
      await Promise.all([
        ...reports,
        ...shuffled(events, seededRandom(seed)).map((event, index) =>
          deliver(index % 2 === 0 ? testApp : world.replica, world.stripe, event),
        ),
      ]);
      await processed(testApp, events);
      expect(await cash()).toBe(1_000);
    },
  );
});

describe("the list of transactions", () => {
  const listed = async (query: Readonly<Record<string, string>> = {}, language = "en") => {
    const answer = await call(testApp, routes.billing.listTransactions, {
      token: user.token,
      query,
      headers: { "accept-language": language },
    });
    return routes.billing.listTransactions.response
      .parse(answer.json())
      .data.filter(({ type }) => type === "refund" || type === "dispute")
      .map(({ payment_method: method, amount, description, is_sandbox: isSandbox }) =>
        [method, amount, description, isSandbox].join(" | "),
      )
      .sort();
  };

  test("shows refunds of both sides and disputes with the method of their payment, and what came back", async () => {
    await ordered(await refund(100));
    world.stripe.state.failRefund(world.stripe.state.refund(payment(), 200));
    world.stripe.state.closeDispute(world.stripe.state.dispute(payment()), "won");
    await settled();
    const rows = [
      "stripe | -1.00 | Refund | false",
      "stripe | -2.00 | Refund | false",
      "stripe | -20.00 | Disputed payment | false",
      "stripe | 2.00 | Refund that did not arrive, back on the balance | false",
      "stripe | 20.00 | Disputed payment, back on the balance | false",
    ];
    expect(await listed()).toEqual(rows);
    expect(await listed({ payment_method: "stripe" })).toEqual(rows);
    expect(await listed({ payment_method: "balance" })).toEqual([]);
    expect((await listed({}, "ru")).join()).toContain("Возврат не дошёл, деньги снова на балансе");
  });
});
