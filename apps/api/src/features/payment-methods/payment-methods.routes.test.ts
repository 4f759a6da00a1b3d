import { savedCardsMax, type CardList } from "@palisade/contract/http/payment-methods";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestApp } from "#src/test-support/test-app.ts";
import {
  createStripeWorld,
  deliverAll,
  eventsSince,
  type StripeWorld,
} from "#src/test-support/test-stripe.ts";
import {
  call,
  createUser,
  expectStatus,
  mailsTo,
  openSession,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { expiryWarnings } from "./payment-methods.jobs.ts";

let world: StripeWorld;
let testApp: TestApp;
let user: TestUser;
beforeAll(async () => {
  world = await createStripeWorld();
  ({ testApp } = world);
});
afterAll(() => world?.close());
beforeEach(async () => {
  user = await createUser(testApp);
});

const { listCards, setupCard, confirmCardSetup, setDefaultCard, removeCard } =
  routes.paymentMethods;

async function list(app = testApp, { token } = user): Promise<CardList> {
  const answer = await expectStatus(call(app, listCards, { token }), 200);
  return listCards.response.parse(answer.json());
}

async function beginSetup({ token } = user) {
  const answer = await expectStatus(call(testApp, setupCard, { token }), 201);
  const { checkout_url, setup } = setupCard.response.parse(answer.json());
  return { setupId: setup.id, reference: checkout_url.split("/").at(-1) ?? "" };
}

async function confirmSetup(setupId: string, { token } = user): Promise<CardList> {
  const options = { token, params: { setupId } };
  const answer = await expectStatus(call(testApp, confirmCardSetup, options), 200);
  return confirmCardSetup.response.parse(answer.json());
}

/** Saves a card on the provider's page and returns from it. */
async function save(card: Parameters<typeof world.stripe.state.saveCard>[1] = {}) {
  const { setupId, reference } = await beginSetup();
  const saved = world.stripe.state.saveCard(reference, card);
  await confirmSetup(setupId);
  return saved;
}

/** The user with a new session, after the clock has moved far. */
const again = async (): Promise<TestUser> => ({ ...user, token: await openSession(testApp, user) });

const endings = (cards: CardList): string[] => cards.cards.map(({ last4 }) => last4);

async function run(job: string): Promise<void> {
  const { db, jobs } = testApp.platform;
  await db.transaction().execute((trx) => jobs.send(trx, job, {}));
}

describe("saving a card", () => {
  test("shows brand, last digits and expiry, and the first one is the default", async () => {
    await save({ brand: "mastercard", last4: "4444", exp_month: 7, exp_year: 2031 });
    expect(await list()).toEqual({
      mode: "live",
      cards: [
        {
          id: expect.any(String),
          brand: "mastercard",
          last4: "4444",
          exp_month: 7,
          exp_year: 2031,
          is_expired: false,
          is_default: true,
          created_at: expect.any(String),
        },
      ],
    });
  });

  test("keeps the default, and one customer for all cards of a user", async () => {
    await save({ last4: "1111" });
    await save({ last4: "2222" });
    expect(endings(await list())).toEqual(["1111", "2222"]);
    const customers = [...world.stripe.state.customers.values()].filter(
      ({ metadata }) => metadata["user_id"] === user.id,
    );
    expect(customers).toHaveLength(1);
  });

  test("is noticed by the event when the browser does not return", async () => {
    const mark = world.stripe.state.events.length;
    const { reference } = await beginSetup();
    world.stripe.state.saveCard(reference, { last4: "3333" });
    await deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
    expect(endings(await list())).toEqual(["3333"]);
  });

  test("is noticed by the poller when no event arrives either", async () => {
    const { reference } = await beginSetup();
    world.stripe.state.saveCard(reference, { last4: "5555" });
    testApp.clock.advance(11 * 60_000);
    await run("payment-methods.poll");
    await until(async () => (await list()).cards.length === 1);
  });

  test("tells the page that the browser returns to whether the card is saved yet", async () => {
    const { setupId, reference } = await beginSetup();
    const setup = (status: string) => ({ id: setupId, status });
    expect(await confirmSetup(setupId)).toMatchObject({ cards: [], setup: setup("open") });
    world.stripe.state.saveCard(reference, { last4: "7777" });
    const saved = { cards: [{ last4: "7777" }], setup: setup("completed") };
    expect(await confirmSetup(setupId)).toMatchObject(saved);
    expect(await confirmSetup(setupId)).toMatchObject(saved);
  });

  test("on a page that has expired saves nothing", async () => {
    const { setupId, reference } = await beginSetup();
    world.stripe.state.expireSession(reference);
    expect(await confirmSetup(setupId)).toMatchObject({ cards: [], setup: { status: "ended" } });
  });

  test("under one Idempotency-Key is one set-up", async () => {
    const headers = { "idempotency-key": `card-${user.id}` };
    const order = async () =>
      (await expectStatus(call(testApp, setupCard, { token: user.token, headers }), 201)).json();
    expect(await order()).toEqual(await order());
  });

  test(`is refused beyond ${savedCardsMax} cards`, async () => {
    for (let index = 0; index < savedCardsMax; index += 1) await save();
    const answer = await call(testApp, setupCard, { token: user.token });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      "You can save at most 10 cards. Remove one first",
    ]);
  });

  test("waits for Stripe no longer than a call may: 503, and nothing is saved", async () => {
    world.stripe.inject("500", /POST .*\/checkout\/sessions$/, 2);
    const answer = await call(testApp, setupCard, { token: user.token });
    expect([answer.statusCode, answer.json().code]).toEqual([503, "unavailable"]);
    expect((await list()).cards).toEqual([]);
  });
});

describe("the default card", () => {
  test("is the chosen one, and only one", async () => {
    await save({ last4: "1111" });
    await save({ last4: "2222" });
    const second = (await list()).cards.find(({ last4 }) => last4 === "2222");
    const params = { cardId: second?.id ?? "" };
    await expectStatus(call(testApp, setDefaultCard, { token: user.token, params }), 200);
    const { cards } = await list();
    expect(cards.map(({ last4, is_default }) => [last4, is_default])).toEqual([
      ["2222", true],
      ["1111", false],
    ]);
  });
});

describe("removing a card", () => {
  test("removes it here at once and at Stripe by a job, and the newest other is the default", async () => {
    await save({ last4: "1111" });
    testApp.clock.advance(1_000);
    await save({ last4: "2222" });
    testApp.clock.advance(1_000);
    const last = await save({ last4: "3333" });
    const first = (await list()).cards.find(({ last4 }) => last4 === "1111");
    const params = { cardId: first?.id ?? "" };
    const answer = await expectStatus(
      call(testApp, removeCard, { token: user.token, params }),
      200,
    );
    expect(endings(removeCard.response.parse(answer.json()))).toEqual(["3333", "2222"]);
    await until(() =>
      [...world.stripe.state.cards.values()].some(
        ({ card, customer }) => card.last4 === "1111" && customer === null,
      ),
    );
    expect(last.customer).not.toBeNull();
  });

  test("is not undone by an older answer of Stripe", async () => {
    await save({ last4: "1111" });
    const mark = world.stripe.state.events.length;
    const { cards } = await list();
    const release = world.stripe.inject("held", /POST .*\/detach$/);
    const params = { cardId: cards[0]?.id ?? "" };
    await expectStatus(call(testApp, removeCard, { token: user.token, params }), 200);
    // Stripe still lists it.
    await save({ last4: "2222" });
    await deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
    expect(endings(await list())).toEqual(["2222"]);
    release();
  });

  test("at Stripe itself removes it here", async () => {
    const saved = await save({ last4: "1111" });
    testApp.clock.advance(1_000);
    const mark = world.stripe.state.events.length;
    world.stripe.state.detach(saved);
    await deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
    expect((await list()).cards).toEqual([]);
  });
});

describe("another user", () => {
  test("sees none of the cards and set-ups, and can change none", async () => {
    await save();
    const { setupId } = await beginSetup();
    const [card] = (await list()).cards;
    const stranger = await createUser(testApp);
    expect((await list(testApp, stranger)).cards).toEqual([]);
    const params = { cardId: card?.id ?? "", setupId };
    for (const route of [setDefaultCard, removeCard, confirmCardSetup]) {
      const answer = await call(testApp, route, { token: stranger.token, params });
      expect([route.id, answer.statusCode]).toEqual([route.id, 404]);
    }
    expect((await list()).cards).toEqual([card]);
  });
});

describe("a card that expires", () => {
  test("is told to its owner once, 30 days before, and again after the bank renewed it", async () => {
    const saved = await save({ last4: "9999", exp_month: 3, exp_year: 2030 });
    const mails = async () =>
      (await mailsTo(testApp, user.email)).filter(({ subject }) => subject.includes("9999"));
    const warnedAt = async (at: string): Promise<string | null> => {
      testApp.clock.set(new Date(at));
      await expiryWarnings({ ...testApp.platform, cards: undefined }).run({});
      const { warned_expiry } = await testApp.platform.db
        .selectFrom("saved_cards")
        .select("warned_expiry")
        .where("payment_method", "=", saved.id)
        .executeTakeFirstOrThrow();
      return warned_expiry;
    };
    expect(await warnedAt("2030-03-01T23:59:59Z")).toBeNull();
    expect(await warnedAt("2030-03-02T00:00:00Z")).toBe("2030-03");
    expect(await warnedAt("2030-03-05T00:00:00Z")).toBe("2030-03");
    const [mail] = await until(async () => {
      const sent = await mails();
      return sent.length > 0 && sent;
    });
    expect(mail?.text_body).toContain("03/2030");
    const mark = world.stripe.state.events.length;
    world.stripe.state.renewCard(saved, { exp_month: 4, exp_year: 2030 });
    await deliverAll(testApp, world.stripe, eventsSince(world.stripe, mark));
    expect(await warnedAt("2030-04-02T00:00:00Z")).toBe("2030-04");
    await until(async () => (await mails()).length === 2);
  });

  test("is shown as expired from the first day of the next month on", async () => {
    await save({ exp_month: 6, exp_year: 2030 });
    testApp.clock.set(new Date("2030-06-30T23:59:59Z"));
    expect((await list(testApp, await again())).cards[0]?.is_expired).toBe(false);
    testApp.clock.set(new Date("2030-07-01T00:00:00Z"));
    expect((await list(testApp, await again())).cards[0]?.is_expired).toBe(true);
  });
});
