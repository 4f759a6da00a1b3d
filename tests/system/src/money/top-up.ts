import { CallError } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { retryAcross, type ApiClient } from "./retry-across.ts";

/**
 * - `return` pays and comes back to the page that confirms
 * - `leave` pays and closes the browser: webhook or poller must settle it
 * - `cancel` presses the other button
 * - `abandon` never comes back from the checkout
 */
export const endings = ["return", "leave", "cancel", "abandon"] as const;

/** One submit of the recharge modal, and what its payer does next. */
export interface TopUp {
  readonly key: string;
  readonly euros: number;
  readonly promoCode: string | undefined;
  readonly ending: (typeof endings)[number];
}

export interface BegunTopUp extends TopUp {
  readonly intentId: string;
  readonly url: string;
}

/** A whole top-up. Every step is repeated at all apis until one answers. */
export async function topUp(order: TopUp, apis: readonly ApiClient[]): Promise<BegunTopUp> {
  const begun = await begin(order, apis).catch((error: unknown) => {
    const isUsedUp = error instanceof CallError && error.problem?.code === "promo_invalid";
    if (!isUsedUp) throw error;
    return begin({ ...order, key: `${order.key}-plain`, promoCode: undefined }, apis);
  });
  if (order.ending === "abandon") return begun;
  await retryAcross(apis, (api) =>
    press(api, begun.url, order.ending === "cancel" ? "cancel" : "pay"),
  );
  if (order.ending === "return")
    await until(async () => (await confirm(begun, apis)) === "completed");
  return begun;
}

/** The same key gets the same checkout, however often it is sent. */
export async function begin(order: TopUp, apis: readonly ApiClient[]): Promise<BegunTopUp> {
  const { data } = await retryAcross(apis, ({ call }) =>
    call(routes.billing.createStripeIntent, {
      body: { amount: order.euros, payment_method: "stripe", promo_code: order.promoCode },
      headers: { "idempotency-key": order.key },
    }),
  );
  return { ...order, intentId: data.intent.id, url: data.checkout_url };
}

/** Confirms the intent as the return page does. */
export async function confirm(
  { intentId }: BegunTopUp,
  apis: readonly ApiClient[],
): Promise<string> {
  const { data } = await retryAcross(apis, ({ call }) =>
    call(routes.billing.confirmIntent, { params: { id: intentId } }),
  );
  return data.intent.status;
}

async function press({ url }: ApiClient, path: string, action: "pay" | "cancel"): Promise<void> {
  const page = await (await answered(fetch(url + path))).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1];
  // A page without a form is closed: an earlier try arrived, but its answer was lost.
  if (token === undefined) return;
  await answered(
    fetch(url + path, {
      method: "POST",
      body: new URLSearchParams({ action, token }),
      redirect: "manual",
    }),
  );
}

async function answered(sent: Promise<Response>): Promise<Response> {
  const response = await sent.catch((cause: unknown) => {
    throw new CallError(0, null, { cause });
  });
  if (response.status !== 200 && response.status !== 303)
    throw new CallError(response.status, null);
  return response;
}
