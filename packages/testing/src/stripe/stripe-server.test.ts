import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../until.ts";
import { startStripeServer, type StripeServer } from "./stripe-server.ts";

let server: StripeServer;
let stripe: Stripe;
beforeAll(async () => {
  server = await startStripeServer();
  const { hostname: host, port } = new URL(server.apiUrl);
  stripe = new Stripe(server.secretKey, { host, port, protocol: "http", maxNetworkRetries: 0 });
});
afterAll(() => server?.close());

const order = (amount = 2_000): Stripe.Checkout.SessionCreateParams => ({
  mode: "payment",
  client_reference_id: "order-1",
  metadata: { "a name": "ü & =" },
  payment_intent_data: { metadata: { order: "1" } },
  line_items: [
    {
      quantity: 1,
      price_data: { currency: "eur", unit_amount: amount, product_data: { name: "Balance" } },
    },
  ],
  success_url: "https://example.com/paid?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://example.com/cancelled",
});

/** A button of the hosted page. */
const press = (url: string | null, action: string) =>
  fetch(url ?? "", {
    method: "POST",
    body: new URLSearchParams({ action }),
    redirect: "manual",
  });

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the stand-in of Stripe, by the official SDK,", () => {
  test("takes an order with nested names, and gives it back", async () => {
    const session = await stripe.checkout.sessions.create(order());
    expect(session).toMatchObject({
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      amount_total: 2_000,
      currency: "eur",
      metadata: { "a name": "ü & =" },
    });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ id: session.id });
  });

  test("has a page on which a browser pays, and shows the payment with its charge", async () => {
    const { id, url } = await stripe.checkout.sessions.create(order());
    expect(await (await fetch(url ?? "")).text()).toContain("€20.00");
    expect(await (await press(url, "declined")).text()).toContain("Your card was declined.");
    const answer = await press(url, "pay");
    expect(answer.headers.get("location")).toBe(`https://example.com/paid?session=${id}`);
    const paid = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    expect(paid).toMatchObject({
      status: "complete",
      payment_status: "paid",
      payment_intent: { status: "succeeded", amount_received: 2_000, metadata: { order: "1" } },
    });
  });

  test("sends the browser back from a cancelled page, which can still be paid", async () => {
    const { id, url } = await stripe.checkout.sessions.create(order());
    expect((await press(url, "cancel")).headers.get("location")).toBe(
      "https://example.com/cancelled",
    );
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe("open");
  });

  test("answers a repeated idempotency key with the first answer, and refuses it for another order", async () => {
    const options = { idempotencyKey: "key-1" };
    const first = await stripe.checkout.sessions.create(order(), options);
    expect((await stripe.checkout.sessions.create(order(), options)).id).toBe(first.id);
    const other = await errorOf(stripe.checkout.sessions.create(order(2_100), options));
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  test.each<[string, () => Promise<unknown>, new (...given: never[]) => Error, string]>([
    [
      "an unknown object",
      () => stripe.checkout.sessions.retrieve("cs_unknown"),
      Stripe.errors.StripeInvalidRequestError,
      "resource_missing",
    ],
    [
      "an amount below the least one",
      () => stripe.checkout.sessions.create(order(49)),
      Stripe.errors.StripeInvalidRequestError,
      "amount_too_small",
    ],
  ])("refuses %s as Stripe does", async (_, work, kind, code) => {
    const error = await errorOf(work());
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ code });
  });

  test("refuses a wrong key, a server error and a lost answer each in their own way", async () => {
    const { hostname: host, port } = new URL(server.apiUrl);
    const wrong = new Stripe("sk_test_wrong", { host, port, protocol: "http" });
    expect(await errorOf(wrong.accounts.retrieveCurrent())).toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    server.inject("500", /GET .*\/account$/);
    expect(await errorOf(stripe.accounts.retrieveCurrent())).toBeInstanceOf(
      Stripe.errors.StripeAPIError,
    );
    // The SDK asks again once where a connection is closed.
    server.inject("lost", /GET .*\/account$/, 2);
    expect(await errorOf(stripe.accounts.retrieveCurrent())).toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    );
    expect((await stripe.accounts.retrieveCurrent()).id).toBe(server.account);
  });

  test("charges a saved card as the card's bank answers, and keeps the answer", async () => {
    const { id: customer } = await stripe.customers.create({});
    const setup = await stripe.checkout.sessions.create({
      mode: "setup",
      currency: "eur",
      customer,
      success_url: "https://example.com/",
      cancel_url: "https://example.com/",
    });
    const card = server.state.saveCard(setup.id, {}, "wants authentication");
    const payment = await stripe.paymentIntents.create({
      amount: 999,
      currency: "eur",
      customer,
      payment_method: card.id,
    });
    const confirm = () =>
      stripe.paymentIntents.confirm(
        payment.id,
        { off_session: true },
        { idempotencyKey: "confirm-1" },
      );
    for (const error of [await errorOf(confirm()), await errorOf(confirm())]) {
      expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
      expect(error).toMatchObject({ code: "authentication_required" });
    }
    expect((await stripe.paymentIntents.cancel(payment.id)).status).toBe("canceled");
  });

  test("lists in pages, newest first", async () => {
    const { id } = await stripe.checkout.sessions.create(order());
    server.state.pay(id, "card");
    const payment_intent = String(server.state.session(id).payment_intent);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await stripe.refunds.create({ payment_intent, amount: 100 })).id);
    }
    const listed = await stripe.refunds
      .list({ payment_intent, limit: 2 })
      .autoPagingToArray({ limit: 100 });
    expect(listed.map((each) => each.id)).toEqual(made);
  });

  test("lists what moved with its source, and the charge of a payment with the card's country", async () => {
    const { id } = await stripe.checkout.sessions.create(order());
    const before = new Set(server.state.balanceTransactions.map((line) => line.id));
    server.state.pay(id, "card", { country: "AT" });
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ["payment_intent.latest_charge"],
    });
    const payment = session.payment_intent as Stripe.PaymentIntent;
    expect(payment.latest_charge).toMatchObject({
      payment_method_details: { card: { country: "AT" } },
    });
    const refund = await stripe.refunds.create({ payment_intent: payment.id, amount: 300 });
    const { data } = await stripe.balanceTransactions.list({ expand: ["data.source"] });
    expect(data.filter((line) => !before.has(line.id))).toMatchObject([
      { amount: -300, reporting_category: "refund", source: { object: "refund", id: refund.id } },
      {
        amount: 2_000,
        reporting_category: "charge",
        source: { object: "charge", metadata: { order: "1" } },
      },
    ]);
    expect((await stripe.balanceTransactions.list({ limit: 1 })).data).toMatchObject([
      { source: refund.id },
    ]);
    const past = { created: { lt: 1 } };
    expect((await stripe.balanceTransactions.list(past)).data).toEqual([]);
  });

  test("signs deliveries that the SDK accepts, and delivers again until they are accepted", async () => {
    const received: { body: string; signature: string }[] = [];
    const receiver = createServer((request, answer) => {
      void text(request).then((body) => {
        received.push({ body, signature: String(request.headers["stripe-signature"]) });
        answer.writeHead(received.length < 3 ? 503 : 200).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const address = receiver.address();
    if (address === null || typeof address === "string") throw new Error("Not a TCP server");
    server.deliverTo(`http://127.0.0.1:${address.port}/`);
    const { id } = await stripe.checkout.sessions.create(order());
    server.state.expireSession(id);
    await until(() => received.length === 3);
    for (const { body, signature } of received) {
      const event = stripe.webhooks.constructEvent(body, signature, server.webhookSecret);
      expect(event).toMatchObject({ type: "checkout.session.expired", data: { object: { id } } });
    }
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });
});
