import { createFakeClock, type FakeClock } from "@palisade/testing/fake-clock";
import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { testProviderContract } from "#src/test-support/provider-contract.ts";
import { EventRefused, RefundRefused } from "../payment-provider.ts";
import { createPaypalClient } from "./paypal-client.ts";
import { createPaypalProvider, type PaypalProvider } from "./paypal-provider.ts";

let clock: FakeClock;
let paypal: PaypalServer;
let provider: PaypalProvider;
beforeEach(async () => {
  clock = createFakeClock();
  paypal = await startPaypalServer({ now: () => clock.now() });
  const { url: baseUrl, clientId, secret, merchantId, webhookId } = paypal;
  provider = createPaypalProvider({
    client: createPaypalClient({ baseUrl, clientId, secret, firstPauseMs: 1 }),
    clock,
    merchantId,
    webhookId,
    origin: () => "https://palisade.example.com",
  });
});
afterEach(() => paypal.close());

const lifeMs = 45 * 60_000;

const checkout = async (intentId = newId()) => {
  const expiresAt = new Date(clock.now().getTime() + lifeMs);
  const order = {
    intentId,
    paymentMethod: "paypal",
    amountCents: 2_050,
    currency: "EUR",
    expiresAt,
    successPath: `/dashboard/billing?intent=${intentId}`,
    cancelPath: `/dashboard/billing?intent=${intentId}&cancelled=1`,
  } as const;
  const { reference, url } = await provider.createCheckout(order, AbortSignal.timeout(30_000));
  return { intentId, reference, url, expiresAt };
};

const approved = async () => {
  const made = await checkout();
  paypal.orders.approve(made.reference);
  return made;
};

const paid = async () => {
  const made = await approved();
  expect((await provider.readRecord(made))?.status).toBe("paid");
  return made;
};

const captures = () => paypal.requests.filter((request) => request.endsWith("/capture")).length;

describe("PayPal, like any provider,", () => {
  testProviderContract({
    provider: () => provider,
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    // The payer approves, and the return page reads the record.
    async pay(reference) {
      paypal.orders.approve(reference);
      await provider.readRecord({
        reference,
        expiresAt: new Date(clock.now().getTime() + 1_000),
      });
    },
    prepare: (reference) => Promise.resolve(async () => paypal.orders.approve(reference)),
  });
});

describe("the payer's browser", () => {
  test("sees PayPal's page, and comes back to this site with or without approval", async () => {
    const { url, intentId, reference } = await checkout();
    const page = await fetch(url);
    expect(await page.text()).toContain("Pay 20.50 EUR");
    const press = async (action: string) => {
      const answer = await fetch(url, {
        method: "POST",
        body: new URLSearchParams({ action }),
        redirect: "manual",
      });
      return answer.headers.get("location");
    };
    const billing = `https://palisade.example.com/dashboard/billing?intent=${intentId}`;
    expect(await press("cancel")).toBe(`${billing}&cancelled=1&token=${reference}`);
    expect(paypal.orders.find(reference).status).toBe("PAYER_ACTION_REQUIRED");
    expect(await press("approve")).toBe(`${billing}&token=${reference}&PayerID=PAYER12345678`);
    expect(paypal.orders.find(reference).status).toBe("APPROVED");
  });
});

describe("an approved payment is captured once", () => {
  test("by many readings at once", async () => {
    const made = await approved();
    const records = await Promise.all(Array.from({ length: 8 }, () => provider.readRecord(made)));
    expect(new Set(records.map((record) => record?.status))).toEqual(new Set(["paid"]));
    expect(
      paypal.webhooks.events.filter(({ type }) => type === "PAYMENT.CAPTURE.COMPLETED"),
    ).toHaveLength(1);
  });

  test.each(["lost-answer", "no-answer", "500", "503", "429", "in-progress"] as const)(
    "although its request ends with %s",
    async (kind) => {
      const made = await approved();
      paypal.addFaults({ on: /capture$/, kind }, { on: /capture$/, kind });
      expect((await provider.readRecord(made))?.status).toBe("paid");
      expect(paypal.orders.find(made.reference).capture?.status).toBe("COMPLETED");
      expect(
        paypal.webhooks.events.filter(({ type }) => type === "PAYMENT.CAPTURE.COMPLETED"),
      ).toHaveLength(1);
    },
  );

  test("and its record says so later, when every answer of the capture was lost", async () => {
    const made = await approved();
    const fault = { on: /capture$/, kind: "lost-answer" } as const;
    paypal.addFaults(fault, fault, fault, fault);
    await expect(provider.readRecord(made)).rejects.toThrow("fetch failed");
    clock.advance(lifeMs);
    expect((await provider.readRecord(made))?.status).toBe("paid");
  });

  test("an order whose answer was lost is not ordered twice", async () => {
    paypal.addFaults({ on: /^POST .*orders$/, kind: "lost-answer" });
    const intentId = newId();
    const { reference } = await checkout(intentId);
    expect(paypal.orders.all().map(({ id }) => id)).toEqual([reference]);
  });
});

describe("PayPal's states are read as", () => {
  test.each([
    ["COMPLETED", "paid"],
    ["PENDING", "processing"],
    ["DECLINED", "cancelled"],
  ] as const)("a capture that is %s: %s", async (outcome, status) => {
    const made = await approved();
    paypal.orders.setCaptureOutcome(outcome);
    expect((await provider.readRecord(made))?.status).toBe(status);
    expect((await provider.readRecord(made))?.status).toBe(status);
  });

  test.each([
    ["COMPLETED", "paid"],
    ["DECLINED", "cancelled"],
  ] as const)("a pending capture that becomes %s: %s", async (decision, status) => {
    const made = await approved();
    paypal.orders.setCaptureOutcome("PENDING");
    await provider.readRecord(made);
    paypal.orders.decideCapture(made.reference, decision);
    clock.advance(3 * 86_400_000);
    expect((await provider.readRecord(made))?.status).toBe(status);
  });

  test("a voided order: cancelled", async () => {
    const made = await checkout();
    paypal.orders.find(made.reference).status = "VOIDED";
    expect((await provider.readRecord(made))?.status).toBe("cancelled");
  });

  test("a declined card: open, and paid once the payer has chosen another", async () => {
    const made = await approved();
    paypal.orders.setCaptureOutcome("INSTRUMENT_DECLINED");
    expect((await provider.readRecord(made))?.status).toBe("open");
    clock.advance(60_000);
    paypal.orders.setCaptureOutcome("COMPLETED");
    paypal.orders.approve(made.reference);
    expect((await provider.readRecord(made))?.status).toBe("paid");
  });

  test("money that went back before its credit: less money", async () => {
    const made = await paid();
    await provider.refund({ refundId: newId(), reference: made.reference, amountCents: 50 });
    expect(await provider.readRecord(made)).toMatchObject({ status: "paid", amountCents: 2_000 });
  });
});

describe("a delivery of PayPal", () => {
  const read = (body: string, headers: Readonly<Record<string, string>>) =>
    provider.readEvent({
      body: Buffer.from(body),
      header: (name) => headers[name],
      now: clock.now(),
    });
  const lastDelivery = () => {
    const event = paypal.webhooks.events.at(-1);
    if (event === undefined) throw new Error("There is no event");
    return { event, ...paypal.webhooks.deliveryOf(event) };
  };

  test("names the order, whatever part of the payment it is about", async () => {
    const made = await approved();
    const types = new Map<string, string | null>();
    const note = async () => {
      const { event, body, headers } = lastDelivery();
      const found = await read(body, headers);
      expect(found).toMatchObject({ eventId: event.id, type: event.type });
      types.set(event.type, found.reference);
    };
    await note();
    await provider.readRecord(made);
    await note();
    await provider.refund({ refundId: newId(), reference: made.reference, amountCents: 100 });
    await note();
    paypal.orders.openDispute(made.reference);
    await note();
    expect([...types]).toEqual([
      ["CHECKOUT.ORDER.APPROVED", made.reference],
      ["PAYMENT.CAPTURE.COMPLETED", made.reference],
      ["PAYMENT.CAPTURE.REFUNDED", made.reference],
      ["CUSTOMER.DISPUTE.CREATED", made.reference],
    ]);
  });

  test.each<
    [string, (signed: { body: string; headers: Record<string, string> }) => [string, object]]
  >([
    ["without headers", ({ body }) => [body, {}]],
    ["written anew", ({ body, headers }) => [JSON.stringify(JSON.parse(body)), headers]],
    ["altered", ({ body, headers }) => [body.replace("APPROVED", "VOIDED"), headers]],
    ["no JSON", ({ headers }) => ["{", headers]],
    ["no event", ({ headers }) => ["[]", headers]],
    ["with an end of its own", ({ body, headers }) => [`${body}} `, headers]],
    [
      "of another time",
      ({ body, headers }) => [
        body,
        { ...headers, "paypal-transmission-time": "2020-01-01T00:00:00Z" },
      ],
    ],
    [
      "with a made-up signature",
      ({ body, headers }) => [body, { ...headers, "paypal-transmission-sig": "AAAA" }],
    ],
    [
      "with an endless header",
      ({ body, headers }) => [body, { ...headers, "paypal-cert-url": "x".repeat(2_001) }],
    ],
  ])("is refused: %s", async (_, forge) => {
    await approved();
    const { body, headers } = lastDelivery();
    const [forged, forgedHeaders] = forge({ body, headers: { ...headers } });
    await expect(read(forged, forgedHeaders as Record<string, string>)).rejects.toBeInstanceOf(
      EventRefused,
    );
  });

  test("is not taken for forged while PayPal cannot check it", async () => {
    await approved();
    const { body, headers } = lastDelivery();
    const fault = { on: /verify-webhook-signature/, kind: "500" } as const;
    paypal.addFaults(fault, fault, fault, fault);
    const reading = read(body, headers);
    await expect(reading).rejects.toThrow("INTERNAL_SERVER_ERROR");
    await expect(reading).rejects.not.toBeInstanceOf(EventRefused);
    expect((await read(body, headers)).type).toBe("CHECKOUT.ORDER.APPROVED");
  });
});

describe("a refund", () => {
  test.each(["lost-answer", "no-answer", "500"] as const)(
    "is made once for its id, also after %s",
    async (kind) => {
      const { reference } = await paid();
      const order = { refundId: newId(), reference, amountCents: 550 };
      paypal.addFaults({ on: /refund$/, kind });
      await provider.refund(order);
      await provider.refund(order);
      expect(await provider.readReversals({ reference })).toEqual([
        {
          kind: "refund",
          id: expect.any(String),
          refundId: order.refundId,
          amountCents: 550,
          currency: "EUR",
          state: "taken",
        },
      ]);
    },
  );

  test.each([
    ["of more than was paid", 2_051, /REFUND_AMOUNT_EXCEEDED/],
    ["after everything went back", 1, /CAPTURE_FULLY_REFUNDED/],
  ] as const)("%s is refused for good", async (what, amountCents, reason) => {
    const { reference } = await paid();
    if (what.startsWith("after")) {
      await provider.refund({ refundId: newId(), reference, amountCents: 2_050 });
    }
    const asked = provider.refund({ refundId: newId(), reference, amountCents });
    await expect(asked).rejects.toThrow(reason);
    await expect(asked).rejects.toBeInstanceOf(RefundRefused);
  });

  test("is refused for good if there is no such payment", async () => {
    const { reference } = await checkout();
    for (const each of [reference, "UNKNOWN"]) {
      const asked = provider.refund({ refundId: newId(), reference: each, amountCents: 1 });
      await expect(asked).rejects.toBeInstanceOf(RefundRefused);
    }
  });

  test("that the bank sends back is told as returned", async () => {
    const { reference } = await paid();
    await provider.refund({ refundId: newId(), reference, amountCents: 550 });
    const [refund] = paypal.orders.find(reference).refunds;
    if (refund !== undefined) refund.status = "FAILED";
    expect(await provider.readReversals({ reference })).toMatchObject([{ state: "returned" }]);
  });

  test.each([
    ["while it is open", undefined, "taken"],
    ["once the buyer has won", "RESOLVED_BUYER_FAVOUR", "taken"],
    ["once the seller has won", "RESOLVED_SELLER_FAVOUR", "returned"],
    ["once the buyer has cancelled it", "CANCELED_BY_BUYER", "returned"],
  ])("a dispute holds the money %s: %s, %s", async (_, outcome, state) => {
    const { reference } = await paid();
    const id = paypal.orders.openDispute(reference);
    if (outcome !== undefined) paypal.orders.resolveDispute(id, outcome);
    expect(await provider.readReversals({ reference })).toEqual([
      { kind: "dispute", id, refundId: null, amountCents: 2_050, currency: "EUR", state },
    ]);
  });
});

test("PayPal's list of what moved holds payments and refunds with the intent", async () => {
  const { intentId, reference } = await paid();
  clock.advance(60_000);
  await provider.refund({ refundId: newId(), reference, amountCents: 550 });
  await approved();
  const from = new Date(clock.now().getTime() - 100 * 86_400_000);
  const movements = await provider.listMovements(from, new Date(clock.now().getTime() + 1_000));
  expect(movements).toMatchObject([
    { kind: "payment", cents: 2_050, currency: "EUR", intentId },
    { kind: "refund", cents: -550, currency: "EUR", intentId },
  ]);
});

test("keys of another account than the merchant id are found out before a payer is sent there", async () => {
  const { url: baseUrl, clientId, secret, webhookId } = paypal;
  provider = createPaypalProvider({
    client: createPaypalClient({ baseUrl, clientId, secret }),
    clock,
    merchantId: "ANOTHERACC123",
    webhookId,
    origin: () => "https://palisade.example.com",
  });
  await expect(checkout()).rejects.toThrow("PALISADE_PAYPAL_MERCHANT_ID");
  expect(captures()).toBe(0);
});
