import type { PaymentIntent } from "@palisade/contract/http/billing";
import { routes } from "@palisade/contract/http/routes";
import type { Updateable } from "kysely";
import { signWebhook } from "#src/features/payments/sandbox/signed-webhooks.ts";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Database } from "#src/schema/database.ts";
import type { TestApp } from "./test-app.ts";
import { call, expectStatus, type CallOptions, type TestUser } from "./test-users.ts";

let serial = 0;

/** Adds a new promo code that is valid from now on. */
export async function addPromoCode(
  testApp: TestApp,
  code: {
    /** By default one that no other test has. */
    readonly name?: string;
    readonly percentage: number;
    readonly totalMax?: number;
    readonly perUserMax?: number;
    readonly startsAt?: Date;
    readonly endsAt?: Date;
  },
): Promise<string> {
  const now = testApp.clock.now();
  const name = code.name ?? `TEST-${++serial}`;
  await testApp.platform.db
    .insertInto("promo_codes")
    .values({
      id: newId(),
      code: name,
      percentage: code.percentage,
      starts_at: code.startsAt ?? now,
      ends_at: code.endsAt ?? null,
      per_user_max: code.perUserMax ?? null,
      total_max: code.totalMax ?? null,
      created_at: now,
    })
    .execute();
  return name;
}

/** A delivery that is signed like the sandbox's own. */
export function sandboxDelivery(
  testApp: TestApp,
  event: object,
  { id = newId(), at = testApp.clock.now() } = {},
): Required<Pick<CallOptions, "body" | "headers">> {
  const body = JSON.stringify(event);
  const key = deriveKey(testApp.platform.config.secret, "sandbox-webhooks");
  return {
    body,
    headers: { "content-type": "application/json", ...signWebhook(key, id, Buffer.from(body), at) },
  };
}

export interface TopUp {
  readonly url: string;
  readonly intent: PaymentIntent;
}

/** Begins a top-up as the recharge modal does. */
export async function beginTopUp(
  testApp: TestApp,
  user: TestUser,
  order: { readonly amount: number; readonly promoCode?: string },
): Promise<TopUp> {
  const answer = await expectStatus(
    call(testApp, routes.billing.createStripeIntent, {
      token: user.token,
      body: { amount: order.amount, payment_method: "stripe", promo_code: order.promoCode },
    }),
    201,
  );
  const body = routes.billing.createStripeIntent.response.parse(answer.json());
  return { url: body.checkout_url, intent: body.intent };
}

export type CheckoutAction = "pay" | "cancel";

/**
 * Loads the sandbox's page; its form can be posted then or later, as from a tab left open.
 *
 * @returns `post`: presses a button and tells where the browser is sent
 */
export async function openForm(
  testApp: TestApp,
  { url }: Pick<TopUp, "url">,
): Promise<{ post(action: CheckoutAction): Promise<string> }> {
  const page = await testApp.app.inject({ url });
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
  return {
    async post(action) {
      const answer = await testApp.app.inject({
        method: "POST",
        url,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams({ action, token }).toString(),
      });
      if (answer.statusCode !== 303) throw new Error(`Not redirected: ${answer.statusCode}`);
      return String(answer.headers.location);
    },
  };
}

/** Presses a button of the sandbox's page; returns where the browser is sent. */
export async function press(
  testApp: TestApp,
  topUp: TopUp,
  action: CheckoutAction,
): Promise<string> {
  return (await openForm(testApp, topUp)).post(action);
}

/** Changes the sandbox's own record without an event, as if its webhook were lost. */
export async function changeRecord(
  testApp: TestApp,
  topUp: TopUp,
  record: Updateable<Database["sandbox_checkouts"]>,
): Promise<void> {
  await testApp.platform.db
    .updateTable("sandbox_checkouts")
    .set(record)
    .where("order_id", "=", topUp.intent.id)
    .execute();
}

export function referenceOf(topUp: TopUp): string {
  return topUp.url.split("/").at(-1) ?? "";
}

export function sendWebhook(testApp: TestApp, topUp: TopUp, type: string, id = newId()) {
  return call(testApp, routes.billing.receiveWebhook, {
    params: { provider: "sandbox" },
    ...sandboxDelivery(testApp, { type, data: { reference: referenceOf(topUp) } }, { id }),
  });
}

/** Confirms the intent as the return page does. */
export async function confirm(
  testApp: TestApp,
  user: TestUser,
  topUp: TopUp,
): Promise<PaymentIntent> {
  const answer = await expectStatus(
    call(testApp, routes.billing.confirmIntent, {
      token: user.token,
      params: { id: topUp.intent.id },
    }),
    200,
  );
  return routes.billing.confirmIntent.response.parse(answer.json()).intent;
}

/** The intent as its owner sees it, without settling anything. */
export async function readIntent(
  testApp: TestApp,
  user: TestUser,
  topUp: TopUp,
): Promise<PaymentIntent> {
  const answer = await expectStatus(
    call(testApp, routes.billing.getIntent, { token: user.token, params: { id: topUp.intent.id } }),
    200,
  );
  return routes.billing.getIntent.response.parse(answer.json()).intent;
}

/** Runs the poller now; its schedule runs it every minute. */
export function poll(testApp: TestApp): Promise<void> {
  const { db, jobs } = testApp.platform;
  return db.transaction().execute((trx) => jobs.send(trx, "payments.poll", {}));
}
