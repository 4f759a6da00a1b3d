import { routes } from "@palisade/contract/http/routes";
import { seededRandom } from "@palisade/testing/seeded-random";
import type { CardBehaviour } from "@palisade/testing/stripe/state";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { balanceOf, BusinessKeyTaken } from "#src/features/ledger/ledger.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { TestApp } from "#src/test-support/test-app.ts";
import { requireWholeLedger } from "#src/test-support/test-money.ts";
import { poll } from "#src/test-support/test-payments.ts";
import {
  createStripeWorld,
  deliverAll,
  eventsSince,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import { saveCardAtStripe } from "#src/test-support/card-samples.ts";
import {
  call,
  createUser,
  expectStatus,
  mailsTo,
  type TestUser,
} from "#src/test-support/test-users.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let world: StripeWorld;
let testApp: TestApp;
let user: TestUser;
let key: string;
beforeAll(async () => {
  world = await createStripeWorld();
  ({ testApp } = world);
});
afterAll(() => world?.close());
beforeEach(async () => {
  user = await createUser(testApp);
  key = `renewal:${newId()}`;
});
afterEach(() => requireWholeLedger(testApp));

const save = (behaviour: CardBehaviour = "pays") =>
  saveCardAtStripe(testApp, world.stripe, user.token, behaviour);
const chargeCard = (app = testApp, cents = 999, businessKey = key) =>
  app.chargeSavedCard(user.id, cents, businessKey);
const cash = async (): Promise<number> => (await balanceOf(testApp.platform.db, user.id)).cashCents;

/** The cents that Stripe has taken from the user's cards and checkouts. */
function taken(): number {
  const { payments } = world.stripe.state;
  const own = new Set(attemptIds);
  return [...payments.values()]
    .filter(({ metadata }) => own.has(metadata["intent_id"] ?? ""))
    .filter(({ status }) => status === "succeeded")
    .reduce((sum, { amount }) => sum + amount, 0);
}
let attemptIds: string[] = [];
async function attempts() {
  const rows = await testApp.platform.db
    .selectFrom("payment_intents")
    .select(["id", "origin", "status", "reference"])
    .where("user_id", "=", user.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  attemptIds = rows.map(({ id }) => id);
  return rows;
}

/** Repeats the call until the provider has answered. */
const chargedInTheEnd = (app = testApp) => until(() => chargeCard(app).catch(() => undefined));

describe("charging a saved card", () => {
  test("takes the money once for each business key, and credits it to the cash", async () => {
    await save();
    const paid = await chargeCard();
    expect(paid).toEqual({ outcome: "paid", intentId: expect.any(String) });
    expect(await chargeCard(world.replica)).toEqual(paid);
    expect(await cash()).toBe(999);
    await attempts();
    expect(taken()).toBe(999);
  });

  test("charges the default card", async () => {
    await save("declined");
    await save("pays");
    const answer = await call(testApp, routes.paymentMethods.listCards, { token: user.token });
    const { cards } = routes.paymentMethods.listCards.response.parse(answer.json());
    const params = { cardId: cards.find(({ is_default }) => !is_default)?.id ?? "" };
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "refused" });
    const options = { token: user.token, params };
    await expectStatus(call(testApp, routes.paymentMethods.setDefaultCard, options), 200);
    expect((await chargeCard(testApp, 999, `${key}:2`)).outcome).toBe("paid");
  });

  test("without a card takes nothing and leaves no trace", async () => {
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "no card" });
    expect(await attempts()).toEqual([]);
  });

  test("refuses a key that stands for another amount or user", async () => {
    await save();
    await chargeCard();
    await expect(chargeCard(testApp, 1_000)).rejects.toThrow(BusinessKeyTaken);
    const other = await createUser(testApp);
    await expect(testApp.chargeSavedCard(other.id, 999, key)).rejects.toThrow(BusinessKeyTaken);
  });

  test("does not count towards what the user may top up in a day", async () => {
    await save();
    await chargeCard(testApp, 50_000);
    const answer = await call(testApp, routes.billing.getPaymentOptions, { token: user.token });
    expect(answer.json().maximum).toBe(1_000);
  });
});

describe("a declined card", () => {
  test("takes nothing, is left alone for an hour, and is then tried again", async () => {
    const card = await save("declined");
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "refused" });
    world.stripe.state.setBehaviour(card.id, "pays");
    testApp.clock.advance(hourMs - 1_000);
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "refused" });
    expect(await attempts()).toHaveLength(1);
    testApp.clock.advance(1_000);
    expect((await chargeCard()).outcome).toBe("paid");
    expect(await cash()).toBe(999);
  });
});

describe("a card that Stripe no longer has", () => {
  test("is a decline, so that the caller can go on, and charges nothing", async () => {
    const card = await save();
    card.customer = null;
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "refused" });
    expect((await attempts()).map(({ status }) => status)).toEqual(["cancelled"]);
    expect(await cash()).toBe(0);
  });
});

describe("a bank that wants to see the payer", () => {
  const checkoutOf = async () => {
    const found = (await attempts()).find(({ origin }) => origin === "authentication");
    if (found?.reference == null) throw new Error("There is no checkout");
    return found.reference;
  };

  test("gets a mail with a checkout sent, once, and the payment counts for the same key", async () => {
    await save("wants authentication");
    const asked = await chargeCard();
    expect(asked).toEqual({ outcome: "needs-authentication", until: expect.any(Date) });
    expect(await chargeCard(world.replica)).toEqual(asked);
    const reference = await checkoutOf();
    const mails = await until(async () => {
      const sent = await mailsTo(testApp, user.email);
      return sent.length > 0 && sent;
    });
    expect(mails.map(({ subject }) => subject)).toEqual(["Please confirm a payment of €9.99"]);
    expect(mails[0]?.text_body).toContain(world.stripe.state.session(reference).url ?? "none");
    expect(await cash()).toBe(0);
    const mark = world.stripe.state.events.length;
    world.stripe.state.pay(reference, "card");
    await deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
    expect(await cash()).toBe(999);
    expect((await chargeCard()).outcome).toBe("paid");
    expect(await cash()).toBe(999);
  });

  test("is asked again with a new mail only after the first checkout has ended", async () => {
    await save("wants authentication");
    await chargeCard();
    const first = await checkoutOf();
    testApp.clock.advance(24 * hourMs);
    expect((await chargeCard()).outcome).toBe("declined");
    testApp.clock.advance(2 * hourMs);
    expect((await chargeCard()).outcome).toBe("needs-authentication");
    const rows = (await attempts()).filter(({ origin }) => origin === "authentication");
    expect(rows.map(({ status }) => status)).toEqual(["expired", "pending"]);
    expect(rows[0]?.reference).toBe(first);
  });
});

describe("lost answers", () => {
  test.each([
    ["to preparing the charge", /POST .*\/payment_intents$/],
    ["to the charge itself", /POST .*\/confirm$/],
    ["to reading the record", /GET .*\/payment_intents\/pi_/],
  ])("%s charge once in the end", async (_, call_) => {
    await save();
    world.stripe.inject("lost", call_, 2);
    await chargeCard().catch(() => undefined);
    expect((await chargedInTheEnd()).outcome).toBe("paid");
    await attempts();
    expect([taken(), await cash()]).toEqual([999, 999]);
  });

  test("to a declined charge do not hide the decline", async () => {
    await save("declined");
    world.stripe.inject("lost", /POST .*\/confirm$/, 2);
    await expect(chargeCard()).rejects.toThrow("unavailable");
    expect(await chargeCard()).toEqual({ outcome: "declined", reason: "refused" });
  });

  test("to a charge that is not repeated are made up for by the poller", async () => {
    await save();
    world.stripe.inject("lost", /POST .*\/confirm$/, 2);
    await chargeCard().catch(() => undefined);
    testApp.clock.advance(2 * minuteMs);
    await until(async () => {
      await poll(testApp);
      return (await cash()) === 999;
    });
  });

  test("to a charge that did not reach Stripe cancel it, and a later call charges anew", async () => {
    await save();
    world.stripe.inject("500", /POST .*\/confirm$/, 2);
    await expect(chargeCard()).rejects.toThrow("unavailable");
    testApp.clock.advance(2 * hourMs);
    await chargeCard();
    testApp.clock.advance(2 * hourMs);
    expect((await chargeCard()).outcome).toBe("paid");
    await attempts();
    expect([taken(), await cash()]).toEqual([999, 999]);
  });
});

describe("two processes, with answers that get lost", () => {
  const faults = [/POST .*\/payment_intents$/, /POST .*\/confirm$/, /GET .*\/payment_intents\/pi_/];
  test.each(Array.from({ length: 24 }, (_, seed) => seed))(
    "charge once (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      await save();
      for (const fault of faults) {
        if (random(2) === 0)
          world.stripe.inject(random(2) === 0 ? "lost" : "500", fault, random(3));
      }
      const apps = Array.from({ length: 2 + random(3) }, () =>
        random(2) === 0 ? testApp : world.replica,
      );
      await Promise.all(apps.map((app) => chargeCard(app).catch(() => undefined)));
      expect((await chargedInTheEnd()).outcome).toBe("paid");
      await attempts();
      expect([taken(), await cash()]).toEqual([999, 999]);
    },
  );
});
