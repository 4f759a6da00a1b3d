import { routes } from "@palisade/contract/http/routes";
import type { StripeEvent } from "@palisade/testing/stripe/objects";
import {
  startStripeServer,
  type DeliveryOptions,
  type StripeServer,
} from "@palisade/testing/stripe/stripe-server";
import { until } from "@palisade/testing/until";
import type { StripeConfig } from "#src/config-payments.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";
import { referenceOf, type TopUp } from "./test-payments.ts";
import { call } from "./test-users.ts";

export interface StripeWorld {
  readonly stripe: StripeServer;
  readonly testApp: TestApp;
  /** Another api process on the same database. */
  readonly replica: TestApp;
  close(): Promise<void>;
}

export function stripeConfig(stripe: StripeServer): StripeConfig {
  const { secretKey, webhookSecret, apiUrl } = stripe;
  return { secretKey, webhookSecret, apiUrl, isTestKey: true };
}

/** Two api processes with the stand-in of Stripe, all by one clock. */
export async function createStripeWorld(options: TestAppOptions = {}): Promise<StripeWorld> {
  const apps: TestApp[] = [];
  const stripe = await startStripeServer({ now: () => apps[0]?.clock.now() ?? new Date() });
  const config = { ...options.config, stripe: stripeConfig(stripe) };
  const open = async (more: TestAppOptions): Promise<TestApp> => {
    const app = await createTestApp({ ...options, ...more, config });
    apps.push(app);
    return app;
  };
  const testApp = await open({});
  const replica = await open({ sharing: testApp });
  return {
    stripe,
    testApp,
    replica,
    async close() {
      for (const app of apps.toReversed()) await app.close();
      await stripe.close();
    },
  };
}

/** Sends an event to the app as Stripe does. */
export function deliver(
  testApp: TestApp,
  stripe: StripeServer,
  event: StripeEvent,
  options: DeliveryOptions = {},
) {
  return call(testApp, routes.billing.receiveWebhook, {
    params: { provider: "stripe" },
    ...stripe.delivery(event, options),
  });
}

/** The stand-in's events since a mark, for example since a test began. */
export function eventsSince(stripe: StripeServer, mark: number): readonly StripeEvent[] {
  return stripe.state.events.slice(mark);
}

/** Delivers the events and waits until each has been processed. */
export async function deliverAll(
  testApp: TestApp,
  stripe: StripeServer,
  events: readonly StripeEvent[],
): Promise<void> {
  for (const event of events) await deliver(testApp, stripe, event);
  await processed(testApp, events);
}

/** Waits until each of the events has been processed. */
export async function processed(
  testApp: TestApp,
  events: readonly Pick<StripeEvent, "id">[],
): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))];
  await until(
    async () => {
      const rows = await testApp.platform.db
        .selectFrom("provider_events")
        .select("event_id")
        .where("event_id", "in", ids)
        .where("worked_at", "is not", null)
        .execute();
      return rows.length === ids.length;
    },
    { what: "the end of every event" },
  );
}

/** The payment of a top-up that has been paid. */
export function paymentOf(stripe: StripeServer, topUp: TopUp) {
  const session = stripe.state.session(referenceOf(topUp));
  const payment = stripe.state.payments.get(session.payment_intent ?? "");
  if (payment === undefined) throw new Error("The top-up has no payment");
  return payment;
}
