import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { startStripeServer, type StripeServer } from "@palisade/testing/stripe/stripe-server";
import { pino } from "pino";
import { testProviderContract } from "#src/test-support/provider-contract.ts";
import { stripeConfig } from "#src/test-support/test-stripe.ts";
import { createStripeAccount } from "./stripe-account.ts";
import { createStripeClient } from "./stripe-client.ts";
import { createStripeProvider } from "./stripe-provider.ts";

const clock = createFakeClock();
let server: StripeServer;
beforeAll(async () => {
  server = await startStripeServer({ now: clock.now });
});
afterAll(() => server?.close());

const silent = pino({ level: "silent" });
const client = () => createStripeClient(stripeConfig(server));
const provider = () =>
  createStripeProvider({
    stripe: client(),
    clock,
    webhookSecret: server.webhookSecret,
    livemode: false,
    account: () => server.account,
    publicOrigin: () => "https://console.example.com",
  });

/** A browser on the hosted page. */
const press = (reference: string, action: string) =>
  fetch(`${server.apiUrl}/c/pay/${reference}`, {
    method: "POST",
    body: new URLSearchParams({ action }),
    redirect: "manual",
  });

describe("Stripe, like any provider,", () => {
  testProviderContract({
    provider,
    now: clock.now,
    advance: clock.advance,
    async pay(reference) {
      await press(reference, "pay");
    },
    prepare: (reference) =>
      Promise.resolve(async () => {
        await press(reference, "pay");
      }),
  });
});

describe("the account of the key", () => {
  test("is what Stripe names it", async () => {
    const account = createStripeAccount(client(), silent);
    expect(account.id()).toBeUndefined();
    await account.start();
    expect(account.id()).toBe(server.account);
  });

  test("a key that Stripe refuses is an error at start that names the setting, not the key", async () => {
    server.isKeyRefused = true;
    const start = createStripeAccount(client(), silent).start();
    await expect(start).rejects.toThrow(/PALISADE_STRIPE_SECRET_KEY is refused by Stripe/);
    await expect(start).rejects.not.toThrow(server.secretKey);
    server.isKeyRefused = false;
  });

  test("stays unknown while Stripe is away, and the start goes on", async () => {
    server.isAway = true;
    const account = createStripeAccount(client(), silent);
    await account.start();
    expect(account.id()).toBeUndefined();
    account.stop();
    server.isAway = false;
  });
});
